"""Playing games: sessions between people and computers."""
