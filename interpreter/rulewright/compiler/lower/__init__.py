"""From the model to kernel text: a general form, and fast forms that refuse what they cannot do."""
