"""Notices: people who are away are called back by push, e-mail or a webhook.

`what` decides (pure), `queue` keeps what there is to tell and where it has to go, `words` says it,
`push`, `mail` and `webhook` send it, and `courier` carries it from one to the other.
"""
