"""What `sklearn.datasets.fetch_…` and `seaborn.load_dataset` would fetch: seeded numbers of its shapes and names.

What scikit-learn has in files of its own (`load_iris`) is the real data, held in memory.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from functools import partial
from importlib import resources
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from engine.core.state import state
from engine.limits import meter

Source = np.random.RandomState


def _source(name: str) -> Source:
    return Source(sum(name.encode()))


def _say(call: str, name: str, rows: str = "") -> None:
    state.notice(
        f"{call} is a random stand-in for the {name} data here: seeded numbers with their shapes and names{rows}, which"
        " nobody has measured."
    )


def _classes(source: Source, rows: int, features: int, classes: int) -> tuple[Any, Any]:
    """Samples around the centre of their class."""
    meter.allocate(rows * features, 8)
    labels = source.randint(0, classes, rows)
    centres = source.normal(0, 2, (classes, features))
    return centres[labels] + source.normal(0, 1, (rows, features)), labels


def _pictures(source: Source, labels: Any, classes: int, shape: tuple[int, ...]) -> Any:
    """Pictures between 0 and 1: a pattern of their class, and noise."""
    patterns = source.uniform(0, 1, (classes, *shape)).astype(np.float32)
    return np.clip(patterns[labels] + source.normal(0, 0.1, (len(labels), *shape)), 0, 1).astype(np.float32)


def _bunch(X: Any, y: Any, options: dict[str, Any], names: Sequence[str], target: str = "target", **more: Any) -> Any:
    """What a function of scikit-learn returns, in the form that was asked for."""
    frame = None
    if options.get("as_frame") is True:
        import pandas  # noqa: PLC0415 - which the program counts on

        X, y = pandas.DataFrame(X, columns=list(names)), pandas.Series(y, name=target)
        frame = pandas.concat([X, y], axis=1)
    if options.get("return_X_y"):
        return X, y
    described = "A random stand-in: seeded numbers, nothing that was measured."
    found = {"data": X, "target": y, "frame": frame, "feature_names": list(names), "target_names": [target], **more}
    return sys.modules["sklearn.utils"].Bunch(**found, DESCR=described)


def _california_housing(**options: Any) -> Any:
    _say("fetch_california_housing()", "California housing")
    source, rows = Source(0), 20640
    income = source.lognormal(1.25, 0.45, rows)
    rest = [
        source.randint(1, 53, rows), source.lognormal(1.65, 0.25, rows), source.lognormal(0.07, 0.1, rows),
        source.lognormal(7.0, 0.7, rows).round(), source.lognormal(1.05, 0.25, rows),
        source.uniform(32.5, 42.0, rows), source.uniform(-124.3, -114.3, rows),
    ]  # fmt: skip
    value = np.clip(0.42 * income + source.normal(0.4, 0.6, rows), 0.15, 5.00001)
    names = "MedInc HouseAge AveRooms AveBedrms Population AveOccup Latitude Longitude".split()
    return _bunch(np.column_stack([income, *rest]), value, options, names, "MedHouseVal")


def _covtype(**options: Any) -> Any:
    _say("fetch_covtype()", "forest cover type", ", 5,810 rows instead of 581,012")
    X, y = _classes(_source("covtype"), 5_810, 54, 7)
    return _bunch(X, (y + 1).astype(np.int32), options, [f"feature_{i}" for i in range(54)], "Cover_Type")


def _kddcup99(**options: Any) -> Any:
    _say("fetch_kddcup99()", "KDD Cup 99", ", 4,940 rows instead of 494,021")
    X, y = _classes(_source("kddcup99"), 4_940, 41, 3)
    attacks = np.array([b"normal.", b"smurf.", b"neptune."], dtype=object)
    return _bunch(X.astype(object), attacks[y], options, [f"feature_{i}" for i in range(41)], "labels")


def _olivetti_faces(**options: Any) -> Any:
    _say("fetch_olivetti_faces()", "Olivetti faces")
    labels = np.repeat(np.arange(40), 10)
    images = _pictures(_source("olivetti"), labels, 40, (64, 64))
    if options.get("shuffle"):
        order = Source(options.get("random_state", 0)).permutation(400)
        images, labels = images[order], labels[order]
    names = [f"pixel_{i}" for i in range(64 * 64)]
    return _bunch(images.reshape(400, -1), labels, options, names, images=images)


_PEOPLE = ("Ariel Sharon,Colin Powell,Donald Rumsfeld,George W Bush,Gerhard Schroeder,Hugo Chavez,Tony Blair").split(
    ","
)


def _lfw_people(**options: Any) -> Any:
    _say("fetch_lfw_people()", "Labeled Faces in the Wild", ", 1,288 pictures of 7 people")
    shape = _face(options)
    labels = _source("lfw").randint(0, 7, 1_288)
    images = _pictures(_source("faces"), labels, 7, shape)
    names = [f"pixel_{i}" for i in range(int(np.prod(shape)))]
    more: dict[str, Any] = {"images": images, "target_names": np.array(_PEOPLE)}
    return _bunch(images.reshape(len(images), -1), labels, options, names, **more)


def _lfw_pairs(**options: Any) -> Any:
    _say("fetch_lfw_pairs()", "Labeled Faces in the Wild", ", 220 pairs")
    labels = np.arange(220) % 2
    pairs = np.stack([_pictures(_source(side), labels, 2, _face(options)) for side in ("left", "right")], 1)
    more: dict[str, Any] = {"pairs": pairs, "target_names": np.array(["Different persons", "Same person"])}
    return _bunch(pairs.reshape(220, -1), labels, options, [], **more)


def _face(options: dict[str, Any]) -> tuple[int, ...]:
    resize = options.get("resize", 0.5) or 1.0
    return (int(125 * resize), int(94 * resize), *((3,) if options.get("color") else ()))


_GROUPS = (
    "alt.atheism comp.graphics comp.os.ms-windows.misc comp.sys.ibm.pc.hardware comp.sys.mac.hardware comp.windows.x"
    " misc.forsale rec.autos rec.motorcycles rec.sport.baseball rec.sport.hockey sci.crypt sci.electronics sci.med"
    " sci.space soc.religion.christian talk.politics.guns talk.politics.mideast talk.politics.misc talk.religion.misc"
).split()


def _20newsgroups(**options: Any) -> Any:
    _say("fetch_20newsgroups()", "20 newsgroups", ", 1,131 texts of made-up words")
    subset = options.get("subset", "train")
    source, groups = _source(f"news {subset}"), sorted(options.get("categories") or _GROUPS)
    labels = source.randint(0, len(groups), 1_131)
    words = [f"{group.rpartition('.')[2]}{number}" for group in groups for number in range(20)]
    texts = [
        " ".join(words[label * 20 + word % 20] if word < 40 else f"word{word}" for word in source.randint(0, 200, 60))
        for label in labels.tolist()
    ]
    return _bunch(texts, labels, options, [], target_names=groups, filenames=np.array([f"{i}" for i in range(1_131)]))


def _20newsgroups_vectorized(**options: Any) -> Any:
    _say("fetch_20newsgroups_vectorized()", "20 newsgroups", ", 1,131 rows")
    return _sparse(options, "vectorized", 1_131, 130_107, _GROUPS)


def _rcv1(**options: Any) -> Any:
    _say("fetch_rcv1()", "Reuters corpus", ", 2,000 rows")
    return _sparse(options, "rcv1", 2_000, 47_236, [f"topic {i}" for i in range(103)])


def _sparse(options: dict[str, Any], name: str, rows: int, columns: int, names: Sequence[str]) -> Any:
    import scipy.sparse  # noqa: PLC0415 - scikit-learn has loaded it

    source = _source(name)
    labels = source.randint(0, len(names), rows)
    places = (labels[:, None] * 50 + source.randint(0, 400, (rows, 60))) % columns
    values = source.uniform(0, 0.3, (rows, 60)).ravel()
    where = np.repeat(np.arange(rows), 60), places.ravel()
    data = scipy.sparse.csr_matrix((values, where), shape=(rows, columns))
    return _bunch(data, labels, {"return_X_y": options.get("return_X_y")}, [], target_names=list(names))


_OPENML: dict[str, tuple[int, int, int]] = {
    "Fashion-MNIST": (70_000, 784, 10), "adult": (48_842, 14, 2), "boston": (506, 13, 0), "diabetes": (768, 8, 2),
    "iris": (150, 4, 3), "mnist_784": (70_000, 784, 10), "titanic": (1_309, 13, 2), "wine": (178, 13, 3),
}  # fmt: skip


def _openml(name: str | None = None, **options: Any) -> Any:
    known = {each.lower(): each for each in _OPENML}.get(str(name).lower(), "")
    rows, features, classes = _OPENML.get(known, (1_000, 10, 2))
    _say("fetch_openml()", str(name or options.get("data_id")), "" if known else " (which are not known here)")
    source = _source(known)
    pixels = features == 784
    if pixels:
        labels = source.randint(0, classes, rows)
        few = _pictures(source, np.repeat(np.arange(classes), 100), classes, (784,))
        X = (few[labels * 100 + source.randint(0, 100, rows)] * 255).astype(np.uint8)
    else:
        X, labels = _classes(source, rows, features, max(classes, 1))
    y: Any = labels.astype(str).astype(object) if classes else X @ source.normal(size=features)
    as_frame = options.pop("as_frame", "auto") is not False
    names = [f"pixel{i + 1}" if pixels else f"feature_{i}" for i in range(features)]
    made = _bunch(X, y, {**options, "as_frame": as_frame}, names, "class", details={"name": name})
    return made


def _species_distributions(**options: Any) -> Any:
    _say("fetch_species_distributions()", "species distribution", ", 14 layers of 159 by 121")
    source = _source("species")
    kinds = [("species", "S22"), ("dd long", "<f4"), ("dd lat", "<f4")]
    made: dict[str, Any] = {"coverages": source.uniform(0, 100, (14, 159, 121)).astype(np.float32)}
    for part, count in (("train", 1_624), ("test", 620)):
        made[part] = np.zeros(count, kinds)
        made[part]["species"] = source.choice([b"bradypus_variegatus_0", b"microryzomys_minutus_0"], count)
        made[part]["dd long"], made[part]["dd lat"] = source.uniform(-95, -35, count), source.uniform(-55, 20, count)
    corner = {"Nx": 121, "Ny": 159, "x_left_lower_corner": -94.8, "y_left_lower_corner": -56.05, "grid_size": 0.5}
    return sys.modules["sklearn.utils"].Bunch(**made, **corner)


FETCHED: dict[str, Callable[..., Any]] = {
    "20newsgroups": _20newsgroups,
    "20newsgroups_vectorized": _20newsgroups_vectorized,
    "california_housing": _california_housing,
    "covtype": _covtype,
    "kddcup99": _kddcup99,
    "lfw_pairs": _lfw_pairs,
    "lfw_people": _lfw_people,
    "olivetti_faces": _olivetti_faces,
    "openml": _openml,
    "rcv1": _rcv1,
    "species_distributions": _species_distributions,
}
"""By the name after `fetch_`."""


def _mend_sklearn(module: Any) -> None:
    for name, made in FETCHED.items():
        setattr(module, f"fetch_{name}", _named(partial(made), f"fetch_{name}"))
    held = {f"sklearn.datasets.{part}": _held(f"sklearn.datasets.{part}") for part in ("data", "descr", "images")}
    module._base.resources = SimpleNamespace(files=held.__getitem__)
    sys.modules["sklearn.utils.parallel"]._get_threadpool_controller()  # which looks for libraries, once
    vars(sys.modules["joblib.externals.loky.backend.context"])["physical_cores_cache"] = 1  # which a program would tell


class _Held(zipfile.Path):
    """A file in memory."""

    def match(self, path_pattern: str) -> bool:
        """Whether its name is of a pattern; Python has this since 3.12."""
        return fnmatch(self.name, path_pattern)

    def __lt__(self, other: Any) -> bool:
        return self.name < str(other.name)


def _held(package: str) -> _Held:
    """The files of a package, in memory."""
    with zipfile.ZipFile(memory := io.BytesIO(), "w") as archive:
        for file in resources.files(package).iterdir():
            if file.is_file():
                archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes())
    archive = zipfile.ZipFile(memory)
    archive.filename = str(resources.files(package))
    return _Held(archive)


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "sklearn.datasets"
    return function


_MONTHS = "January,February,March,April,May,June,July,August,September,October,November,December"
_TABLES: dict[str, tuple[int, str]] = {
    "anagrams": (20, "subidr #1;attnr divided,focused/10;num1 2:10;num2 3:10;num3 4:10"),
    "anscombe": (44, "dataset I,II,III,IV/11;x 4.0:14.0;y 3.1:12.7"),
    "attention": (60, "Unnamed: 0 #0;subject =1:20/1;attention divided,focused/10;solutions 1,2,3/20;score 2.0:10.0"),
    "brain_networks": (920, "network 1:17;node 1:8;hemi lh,rh;value -60.0:60.0"),
    "car_crashes": (51, "total 5.9:23.9;speeding 1.8:9.4;alcohol 1.6:10.0;not_distracted 1.8:23.7;no_previous 5.9:21.3"
                    ";ins_premium 641.0:1301.0;ins_losses 82.0:194.0;abbrev AL,AK,AZ,AR,CA,CO,CT,DE,FL,GA/1"),
    "diamonds": (53_940, "carat 0.2:3.0;cut Ideal,Premium,Very Good,Good,Fair;color D,E,F,G,H,I,J"
                 ";clarity IF,VVS1,VVS2,VS1,VS2,SI1,SI2,I1;depth 55.0:68.0;table 53.0:65.0;price 326:18823;x 3.7:9.0"
                 ";y 3.7:9.0;z 2.3:5.5"),
    "dots": (848, "align dots,sacc;choice T1,T2;time -600:800;coherence 0.0:51.2;firing_rate 8.0:70.0"),
    "dowjones": (649, "Date @1914-12-01/30;Price 43.0:995.0"),
    "exercise": (90, "Unnamed: 0 #0;id =1:30/3;diet low fat,no fat/45;pulse 80:150;time 1 min,15 min,30 min/1"
                 ";kind rest,walking,running/15"),
    "flights": (144, f"year =1949:1960/12;month {_MONTHS}/1;passengers 104:622"),
    "fmri": (1_064, "subject s0,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11,s12,s13/1;timepoint =0:18/14"
             ";event stim,cue/266;region parietal,frontal/532;signal -0.25:0.56"),
    "geyser": (272, "duration 1.6:5.1;waiting 43:96;kind long,short"),
    "glue": (64, "Model BERT,RoBERTa,T5,BART,ERNIE,DeBERTa,BiLSTM,StructBERT/8;Year 2018:2020;Encoder Transformer,LSTM"
             ";Task CoLA,SST-2,MRPC,STS-B,QQP,MNLI,QNLI,RTE/1;Score 11.7:97.5"),
    "healthexp": (274, "Year =1970:2020/6;Country Germany,France,Great Britain,Japan,USA,Canada/1"
                  ";Spending_USD 123.0:11859.0;Life_Expectancy 70.6:84.7"),
    "iris": (150, "sepal_length 4.3:7.9;sepal_width 2.0:4.4;petal_length 1.0:6.9;petal_width 0.1:2.5"
             ";species setosa,versicolor,virginica/50"),
    "mpg": (398, "mpg 9.0:46.6;cylinders 4,6,8;displacement 68.0:455.0;horsepower 46.0:230.0?;weight 1613:5140"
            ";acceleration 8.0:24.8;model_year 70:82;origin usa,japan,europe;name car a,car b,car c"),
    "penguins": (344, "species Adelie,Chinstrap,Gentoo/115;island Torgersen,Biscoe,Dream;bill_length_mm 32.1:59.6"
                 ";bill_depth_mm 13.1:21.5;flipper_length_mm 172.0:231.0;body_mass_g 2700.0:6300.0;sex MALE,FEMALE?"),
    "planets": (1_035, "method Radial Velocity,Transit,Imaging;number 1:7;orbital_period 0.1:5000.0?;mass 0.004:25.0?"
                ";distance 1.4:2000.0?;year 1989:2014"),
    "seaice": (13_175, "Date @1980-01-01/1;Extent 3.3:16.4"),
    "taxis": (6_433, "pickup @2019-03-01/0.005;dropoff @2019-03-01/0.005;passengers 0:6;distance 0.0:36.7"
              ";fare 1.0:150.0;tip 0.0:33.2;tolls 0.0:24.0;total 1.3:174.8;color yellow,green;payment credit card,cash"
              ";pickup_zone Midtown Center,Clinton East;dropoff_zone Murray Hill,Yorkville West"
              ";pickup_borough Manhattan,Queens,Bronx,Brooklyn;dropoff_borough Manhattan,Queens,Bronx,Brooklyn"),
    "tips": (244, "total_bill 3.07:50.81;tip 1.0:10.0;sex Female,Male;smoker No,Yes;day Sun,Sat,Thur,Fri"
             ";time Dinner,Lunch;size 1:6"),
    "titanic": (891, "survived 0:1;pclass 1:3;sex male,female;age 0.4:80.0?;sibsp 0:5;parch 0:4;fare 0.0:512.0"
                ";embarked S,C,Q;class Third,First,Second;who man,woman,child;adult_male True,False"
                ";deck A,B,C,D,E,F,G?;embark_town Southampton,Cherbourg,Queenstown;alive no,yes;alone True,False"),
}  # fmt: skip
"""Rows, and columns with what is in them: `1:6` numbers between these, `a,b` one of these (with `/n` each n times, in
turn), `=1:9/n` the same for numbers, `#1` numbers from 1, `@date/days` dates; `?`: some are missing."""


def _column(source: Source, rows: int, kind: str) -> list[str]:
    some, kind = kind.endswith("?"), kind.removesuffix("?")
    each, _, every = kind.partition("/")
    turn = np.arange(rows)
    made: Any
    if kind.startswith("#"):
        made = turn + int(kind[1:])
    elif kind.startswith("@"):
        made = np.datetime64(each[1:], "s") + (turn * float(every) * 86_400).astype("m8[s]")
    elif ":" in kind and "," not in kind:
        low, high = each.removeprefix("=").split(":")
        if every:
            made = int(low) + turn // int(every) % (int(high) - int(low) + 1)
        elif "." in low:
            made = np.round(np.clip(source.beta(2, 3, rows), 0, 1) * (float(high) - float(low)) + float(low), 2)
        else:
            made = source.randint(int(low), int(high) + 1, rows)
    else:
        choices = np.array(each.split(","))
        made = choices[turn // int(every) % len(choices)] if every else source.choice(choices, rows)
    texts = [str(value).replace("T", " ", 1) if kind.startswith("@") else str(value) for value in made]
    missing = source.uniform(size=rows) < (0.1 if some else 0)
    return ["" if gone else text for gone, text in zip(missing, texts, strict=True)]


def _lines(name: str) -> Iterator[str]:
    rows, columns = _TABLES[name]
    source = _source(name)
    split = [column.rpartition(" ") if column.count(" ") == 1 else _cut(column) for column in columns.split(";")]
    yield ",".join(title for title, _, _ in split)
    for values in zip(*[_column(source, rows, kind) for _, _, kind in split], strict=True):
        yield ",".join(values)


def _cut(column: str) -> tuple[str, str, str]:
    """A column of which the title, or a choice, has a space in it."""
    if column.startswith("Unnamed: 0 "):
        return "Unnamed: 0", " ", column.removeprefix("Unnamed: 0 ")
    return column.partition(" ")


def _retrieve(url: str, filename: str) -> None:
    """Write a table where seaborn would put the real one."""
    name = url.rpartition("/")[2].removesuffix(".csv")
    _say("load_dataset()", name)
    with open(filename, "w") as file:
        file.writelines(f"{line}\n" for line in _lines(name))


def _mend_seaborn(module: Any) -> None:
    module.utils.urlretrieve = _retrieve
    module.utils.get_dataset_names = module.get_dataset_names = lambda: list(_TABLES)


MENDS: dict[str, Callable[[ModuleType], None]] = {"seaborn": _mend_seaborn, "sklearn.datasets": _mend_sklearn}
