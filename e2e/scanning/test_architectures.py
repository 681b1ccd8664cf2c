"""The table from architectures to tasks says what the installed transformers says."""

import json
import pathlib

import transformers.models.auto.modeling_auto as auto

TABLE = pathlib.Path(__file__).parents[2] / "api/core/metadata/data/architectures.json"

# As `utils/update_metadata.py` of transformers orders them: a class of several rows is of the last.
ROWS = [
    (None, "PRETRAINING", "PreTraining"),
    ("feature-extraction", None, None),
    ("image-feature-extraction", "IMAGE", None),
    ("audio-classification", "AUDIO_CLASSIFICATION", "AudioClassification"),
    ("text-generation", "CAUSAL_LM", "CausalLM"),
    ("automatic-speech-recognition", "CTC", "CTC"),
    ("image-classification", "IMAGE_CLASSIFICATION", "ImageClassification"),
    ("image-segmentation", "IMAGE_SEGMENTATION", "ImageSegmentation"),
    ("image-text-to-text", "IMAGE_TEXT_TO_TEXT", "ImageTextToText"),
    ("image-to-image", "IMAGE_TO_IMAGE", "ImageToImage"),
    ("fill-mask", "MASKED_LM", "MaskedLM"),
    ("object-detection", "OBJECT_DETECTION", "ObjectDetection"),
    ("zero-shot-object-detection", "ZERO_SHOT_OBJECT_DETECTION", "ZeroShotObjectDetection"),
    ("question-answering", "QUESTION_ANSWERING", "QuestionAnswering"),
    # The hub has no text2text-generation any more.
    ("text-generation", "SEQ_TO_SEQ_CAUSAL_LM", "Seq2SeqLM"),
    ("text-classification", "SEQUENCE_CLASSIFICATION", "SequenceClassification"),
    ("automatic-speech-recognition", "SPEECH_SEQ_2_SEQ", "SpeechSeq2Seq"),
    ("table-question-answering", "TABLE_QUESTION_ANSWERING", "TableQuestionAnswering"),
    ("token-classification", "TOKEN_CLASSIFICATION", "TokenClassification"),
    ("multiple-choice", "MULTIPLE_CHOICE", "MultipleChoice"),
    (None, "NEXT_SENTENCE_PREDICTION", "NextSentencePrediction"),
    (None, "AUDIO_FRAME_CLASSIFICATION", "AudioFrameClassification"),
    (None, "AUDIO_XVECTOR", "AudioXVector"),
    ("document-question-answering", "DOCUMENT_QUESTION_ANSWERING", "DocumentQuestionAnswering"),
    ("visual-question-answering", "VISUAL_QUESTION_ANSWERING", "VisualQuestionAnswering"),
    ("zero-shot-image-classification", "ZERO_SHOT_IMAGE_CLASSIFICATION", "ZeroShotImageClassification"),
    ("depth-estimation", "DEPTH_ESTIMATION", "DepthEstimation"),
    ("video-classification", "VIDEO_CLASSIFICATION", "VideoClassification"),
    ("mask-generation", "MASK_GENERATION", "MaskGeneration"),
    ("text-to-audio", "TEXT_TO_SPECTROGRAM", "TextToSpectrogram"),
    ("text-to-audio", "TEXT_TO_WAVEFORM", "TextToWaveform"),
]


def installed():
    table = {}
    for task, mapping, suffix in ROWS:
        names = getattr(auto, f"MODEL_FOR_{mapping}_MAPPING_NAMES" if mapping else "MODEL_MAPPING_NAMES")
        auto_class = f"AutoModelFor{suffix}" if suffix else "AutoModel"
        for name in names.values():
            for each in [name] if isinstance(name, str) else name:
                table[each] = (task, auto_class)
    return table


def committed():
    rows = json.loads(TABLE.read_text())["rows"]
    return {name: (row.get("task"), row["autoClass"]) for row in rows for name in row["architectures"].split()}


def test_the_table_says_what_transformers_says():
    ours, theirs = committed(), installed()
    assert len(theirs) > 1000
    assert {name: (ours.get(name), said) for name, said in theirs.items() if ours.get(name) != said} == {}
