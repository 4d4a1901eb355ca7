"""Tables on disk: separated text, ``.dat`` of BLIP, and the columnar files of Arrow."""
