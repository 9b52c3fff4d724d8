"""What clients get, as pydantic models: the rows that `engine.document` declares.

Documents are written by the engine and are not validated again on the way out; tests hold real documents against these
models.
"""

from __future__ import annotations

import types
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Union, get_args, get_origin, is_typeddict

from pydantic import BaseModel, Field, create_model

from engine.document import catalogue, rows
from engine.document.notes import noted


@cache
def model(row: Any) -> type[BaseModel]:
    """The model of a row: its fields in their order, with the default of each that may be left out."""
    fields: dict[str, Any] = {name: _field(type_) for name, type_ in row.__annotations__.items()}
    made: type[BaseModel] = create_model(row.__name__, __doc__=row.__doc__, __module__=__name__, **fields)
    return made


def _field(declared: Any) -> tuple[Any, Any]:
    """The type of a field, and its default: an ellipsis where it is required."""
    bare, _, keywords, _, required = noted(declared)
    if required:
        return _type(declared), ...
    empty = None if types.NoneType in get_args(bare) else (get_origin(bare) or bare)()
    return _type(declared), empty if keywords.default is None else keywords.default


def _type(declared: Any) -> Any:
    """A type with models in the place of rows, and `Field` in that of what is noted of it."""
    bare, text, (examples, minimum, _), *_ = noted(declared)
    if bare is not declared:
        return Annotated[_type(bare), Field(description=text, examples=list(examples) or None, ge=minimum)]
    if is_typeddict(bare):
        return model(bare)
    origin, args = get_origin(bare), get_args(bare)
    if origin in (types.UnionType, Union):
        union = reduce(or_, map(_type, args))
        return Annotated[union, Field(discriminator="kind")] if all(map(is_typeddict, args)) else union
    return origin[tuple(map(_type, args))] if origin in (list, dict, tuple) else bare


RunDocument = model(rows.RunDocument)
Value = model(rows.Value)
Check = model(rows.Check)
Catalogue = model(catalogue.Catalogue)
