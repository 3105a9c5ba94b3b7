"""Programs in imperative languages: what C and the engine for Python have in common.

A function becomes structured statements, and its values variables that are assigned to: this is construction, turned
round. First decisions are joined that short-circuit operators have made several of (`ways`). Of what is left, the
dominator tree makes statements (`structure`, in the terms of `structured`). Values that are not written in place get
variables, shared as far as possible (`variables`), calls stand where their result is used (`calls`), and arguments are
copied to parameters, which is to happen at once (`copies`).
"""
