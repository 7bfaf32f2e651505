"""What a reduced instance must be: satisfiable still, where it was so by construction."""

from __future__ import annotations

from typing import Any

from gainsay.families.smt.language import scripts
from gainsay.families.smt.language.ir import Instance, Scene
from gainsay.families.smt.meaning.scene_cache import SceneCache


def instance_of(recipe: Any) -> tuple[tuple[str, ...], Instance] | None:
    """The instance in a recipe, and the path to it."""
    if isinstance(recipe, Instance):
        return (), recipe
    return ((recipe.subject_field,), recipe.subject) if isinstance(recipe.subject, Instance) else None


def is_legal(scene: Scene, recipe: Any) -> bool:
    """An instance that was satisfiable by construction still is. Others are judged by their oracles."""
    if not is_witnessed(recipe):
        return True
    found = instance_of(recipe)
    return found is None or scripts.holds(SceneCache(scene), found[1].asserts)


def is_witnessed(recipe: Any) -> bool:
    """Whether the scene's model is one of the instance's."""
    found = instance_of(recipe)
    return found is not None and not found[1].is_loose
