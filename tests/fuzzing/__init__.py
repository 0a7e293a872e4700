"""Commands run on damaged and hostile input, to see that each ends as the documentation promises.

`material` makes good files of every format; `kinds` damage them, one kind of input each; a `worker` runs the
commands under limits, a process per input; `rules` judge how they ended; a `campaign` draws the inputs from a
seed and keeps those that fail.
"""
