import { sizeCategories } from '../../../../shared/vocabulary.ts'
import { licences } from '../../../lib/licences.ts'

/** What the keys of a card's metadata mean, and values that hub clients know. */
export interface CardKey {
  name: string
  detail: string
  info: string
  values?: readonly string[]
}

const tasks = [
  'text-generation',
  'text-classification',
  'token-classification',
  'question-answering',
  'summarization',
  'translation',
  'fill-mask',
  'feature-extraction',
  'sentence-similarity',
  'image-classification',
  'image-segmentation',
  'object-detection',
  'image-to-text',
  'text-to-image',
  'image-to-image',
  'automatic-speech-recognition',
  'text-to-speech',
  'audio-classification',
  'text-to-video',
  'image-text-to-text',
  'tabular-classification',
  'tabular-regression',
  'time-series-forecasting',
  'reinforcement-learning',
  'robotics',
] as const

const libraries = [
  'transformers',
  'diffusers',
  'sentence-transformers',
  'peft',
  'timm',
  'gguf',
  'mlx',
  'onnx',
  'keras',
  'sklearn',
] as const

/** Keys of models and datasets, the most used first. */
export const cardKeys: readonly CardKey[] = [
  {
    name: 'license',
    detail: 'text',
    info: 'Identifier of the licence; use other with license_name for one of its own.',
    values: licences,
  },
  {
    name: 'library_name',
    detail: 'text',
    info: 'Library that loads the model. It decides the commands of the page.',
    values: libraries,
  },
  {
    name: 'pipeline_tag',
    detail: 'text',
    info: 'Task of the model, by which lists are filtered.',
    values: tasks,
  },
  { name: 'language', detail: 'text or list', info: 'ISO 639-1 codes, for example en or [en, sv].' },
  { name: 'tags', detail: 'list', info: 'Words by which the repo is found.' },
  { name: 'base_model', detail: 'text or list', info: 'Repo the model is made from, as namespace/name.' },
  {
    name: 'base_model_relation',
    detail: 'text',
    info: 'How it is made from the base model.',
    values: ['finetune', 'adapter', 'merge', 'quantized'],
  },
  { name: 'datasets', detail: 'list', info: 'Datasets the model was trained on, as namespace/name.' },
  { name: 'metrics', detail: 'list', info: 'Names of the metrics the model is judged by.' },
  {
    name: 'task_categories',
    detail: 'list',
    info: 'Tasks a dataset is for, by which lists are filtered.',
    values: tasks,
  },
  { name: 'configs', detail: 'list', info: 'Parts of a dataset: each has a config_name and data_files.' },
  {
    name: 'size_categories',
    detail: 'list',
    info: 'How many rows a dataset has.',
    values: sizeCategories,
  },
  { name: 'pretty_name', detail: 'text', info: 'Title of a dataset for people.' },
  { name: 'license_name', detail: 'text', info: 'Name of a licence of its own.' },
  { name: 'license_link', detail: 'text', info: 'Address or file of a licence of its own.' },
  { name: 'model-index', detail: 'list', info: 'Results of evaluations.' },
  { name: 'extra_gated_heading', detail: 'text', info: 'Title of the form that asks for access.' },
  {
    name: 'extra_gated_prompt',
    detail: 'text',
    info: 'Text above the form that asks for access, in Markdown.',
  },
  {
    name: 'extra_gated_fields',
    detail: 'mapping',
    info: 'Fields of that form: text, checkbox, select, country or date_picker.',
  },
]
