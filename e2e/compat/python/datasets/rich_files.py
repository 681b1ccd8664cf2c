"""Data files that other libraries write, one kind for each further loader of `datasets`."""

from __future__ import annotations

import json
import pathlib
import zipfile
from dataclasses import dataclass, field
from typing import Any

import av
import conllu
import h5py
import lance
import nibabel
import numpy
import pdfplumber.pdf
import pyarrow
import trimesh
import tsfile
import vortex
from Bio import SeqIO
from Bio.PDB import MMCIFIO, PDBIO
from Bio.PDB.Structure import Structure
from Bio.PDB.StructureBuilder import StructureBuilder
from Bio.Seq import Seq
from Bio.SeqRecord import SeqRecord
from reportlab.pdfgen.canvas import Canvas

IDS = range(20)
TABLE = pyarrow.table({"id": list(IDS), "text": [f"row {i} ü" for i in IDS]})


@dataclass
class Wanted:
    """The rows of a split, as `plain` shows them, and the options `load_dataset` needs to read them."""

    rows: list[dict]
    options: dict[str, Any] = field(default_factory=dict)
    split: str = "train"


def plain(value: object) -> object:
    """What a decoded file says, to be compared."""
    if isinstance(value, nibabel.Nifti1Image):
        return value.get_fdata().tolist()
    if isinstance(value, pdfplumber.pdf.PDF):
        return [page.extract_text() for page in value.pages]
    if isinstance(value, trimesh.Trimesh | trimesh.Scene):
        return value.bounds.tolist()
    if isinstance(value, Structure):
        return [atom.coord.tolist() for atom in value.get_atoms()]
    return value


def write_conll(folder: pathlib.Path) -> Wanted:
    sentences = [["Dogs", "bark"], ["Cats", "purr", "ü"]]
    lists = [
        conllu.TokenList([{"id": n, "form": form, "lemma": form.lower()} for n, form in enumerate(each, 1)])
        for each in sentences
    ]
    (folder / "train.conllu").write_text("".join(each.serialize() for each in lists))
    rows = [{"form": each, "lemma": [form.lower() for form in each]} for each in sentences]
    return Wanted(rows, {"column_names": ["id", "form", "lemma"]})


def write_eval(folder: pathlib.Path) -> Wanted:
    rows = [{"id": i, "epoch": 1, "input": f"question {i}"} for i in IDS]
    with zipfile.ZipFile(folder / "log.eval", "w") as log:
        log.writestr("header.json", json.dumps({"version": 2}))
        for row in rows:
            log.writestr(f"samples/{row['id']}_epoch_1.json", json.dumps(row))
    return Wanted(rows, split="logs")


def sequences() -> list[SeqRecord]:
    records = [SeqRecord(Seq("ACGT" * (i + 1)), id=f"seq{i}", description=f"seq{i} made here") for i in IDS]
    for record in records:
        record.annotations["molecule_type"] = "DNA"
        record.letter_annotations["phred_quality"] = [40] * len(record)
    return records


def write_sequences(path: pathlib.Path, kind: str) -> Wanted:
    SeqIO.write(sequences(), path, kind)
    return Wanted([{"sequence": str(each.seq)} for each in sequences()])


def write_fasta(folder: pathlib.Path) -> Wanted:
    return write_sequences(folder / "train.fasta", "fasta")


def write_fastq(folder: pathlib.Path) -> Wanted:
    return write_sequences(folder / "train.fastq", "fastq")


def write_genbank(folder: pathlib.Path) -> Wanted:
    return write_sequences(folder / "train.gb", "genbank")


def write_harbor(folder: pathlib.Path) -> Wanted:
    for i in range(3):
        task = folder / "tasks" / f"task-{i}"
        task.mkdir(parents=True)
        (task / "task.toml").write_text(f'[task]\nname = "arsenal/task-{i}"\n')
        (task / "instruction.md").write_text(f"Do {i}.\n")
    return Wanted([{"name": f"arsenal/task-{i}", "instruction": f"Do {i}.\n"} for i in range(3)], split="test")


def write_hdf5(folder: pathlib.Path) -> Wanted:
    matrices = numpy.arange(len(IDS) * 6, dtype="float32").reshape(-1, 2, 3)
    with h5py.File(folder / "train.h5", "w") as file:
        file["id"] = numpy.array(IDS)
        file["matrix"] = matrices
        file.create_dataset("text", data=TABLE["text"].to_pylist(), dtype=h5py.string_dtype())
    rows = TABLE.to_pylist()
    return Wanted([{**row, "matrix": matrix.tolist()} for row, matrix in zip(rows, matrices, strict=True)])


def write_lance(folder: pathlib.Path) -> Wanted:
    lance.write_dataset(TABLE, folder, mode="overwrite")
    return Wanted(TABLE.to_pylist())


def write_mesh(folder: pathlib.Path) -> Wanted:
    boxes = [trimesh.creation.box((i, 2, 3)) for i in (1, 2, 3)]
    for i, box in enumerate(boxes):
        box.export(folder / f"{i}.stl")
    return Wanted([{"mesh": box.bounds.tolist()} for box in boxes])


def structures() -> list[Structure]:
    made = []
    for i in range(3):
        builder = StructureBuilder()
        builder.init_structure(f"s{i}")
        builder.init_model(0)
        builder.init_chain("A")
        builder.init_seg(" ")
        builder.init_residue("GLY", " ", 1, " ")
        builder.init_atom("CA", numpy.array([i, 2, 3], "f"), 0, 1, " ", " CA ", element="C")
        made.append(builder.get_structure())
    return made


def write_structures(folder: pathlib.Path, ending: str, writer: PDBIO | MMCIFIO) -> Wanted:
    for i, structure in enumerate(structures()):
        writer.set_structure(structure)
        writer.save(str(folder / f"{i}.{ending}"))
    return Wanted([{"structure": plain(structure)} for structure in structures()])


def write_mmcif(folder: pathlib.Path) -> Wanted:
    return write_structures(folder, "cif", MMCIFIO())


def write_pdb(folder: pathlib.Path) -> Wanted:
    return write_structures(folder, "pdb", PDBIO())


def write_nifti(folder: pathlib.Path) -> Wanted:
    volumes = [numpy.full((2, 3, 4), i, dtype="int16") for i in range(3)]
    for i, volume in enumerate(volumes):
        nibabel.save(nibabel.Nifti1Image(volume, numpy.eye(4)), folder / f"{i}.nii.gz")
    return Wanted([{"nifti": volume.tolist()} for volume in volumes])


def write_pdf(folder: pathlib.Path) -> Wanted:
    for i in range(3):
        canvas = Canvas(str(folder / f"{i}.pdf"))
        canvas.drawString(72, 700, f"Page of file {i}")
        canvas.save()
    return Wanted([{"pdf": [f"Page of file {i}"]} for i in range(3)])


def write_tsfile(folder: pathlib.Path) -> Wanted:
    columns = [
        tsfile.ColumnSchema("sensor", tsfile.TSDataType.STRING, tsfile.ColumnCategory.TAG),
        tsfile.ColumnSchema("value", tsfile.TSDataType.INT64, tsfile.ColumnCategory.FIELD),
    ]
    schema = tsfile.TableSchema("readings", columns)
    tablet = tsfile.Tablet(["sensor", "value"], [each.get_data_type() for each in columns], len(IDS))
    for i in IDS:
        tablet.add_timestamp(i, i)
        tablet.add_value_by_name("sensor", i, "one")
        tablet.add_value_by_name("value", i, i * i)
    with tsfile.TsFileTableWriter(str(folder / "train.tsfile"), schema) as writer:
        writer.write_table(tablet)
    return Wanted([{"sensor": "one", "value": [i * i for i in IDS]}])


def write_video(folder: pathlib.Path) -> Wanted:
    for i in range(2):
        with av.open(str(folder / f"{i}.mp4"), "w") as container:
            stream = container.add_stream("mpeg4", rate=10)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
            for shade in range(5):
                frame = av.VideoFrame.from_ndarray(numpy.full((48, 64, 3), 40 * shade + i, "uint8"), format="rgb24")
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
    return Wanted([{"video": (folder / f"{i}.mp4").read_bytes()} for i in range(2)])


def write_vortex(folder: pathlib.Path) -> Wanted:
    vortex.io.write(vortex.array(TABLE), str(folder / "train.vortex"))
    return Wanted(TABLE.to_pylist())


WRITERS = {
    name.removeprefix("write_"): value
    for name, value in sorted(globals().items())
    if name.startswith("write_") and name not in ("write_sequences", "write_structures")
}
