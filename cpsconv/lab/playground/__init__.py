"""The playground: a page in which a program is edited, and everything else follows.

A request names a view of a program (`views`). Its answer is what the command of the view prints (`engine`), computed by
a server on the local machine (`server`), or in the browser by the same code. `site` has the files of the page.
"""

from cpsconv.lab.playground.engine import Engine, engine_with
from cpsconv.lab.playground.views import VIEWS, Request, link

__all__ = ["VIEWS", "Engine", "Request", "engine_with", "link"]
