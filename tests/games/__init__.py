"""The bundled games, their facts and playthroughs, and the examples of the documents."""
