import { sizeCategories } from '../../../../shared/vocabulary.ts'
import type { Repo } from '../../../lib/types.ts'

/** What completes a field while it is typed. */
export type Completion = 'task' | 'library' | 'licence' | 'language' | 'model' | 'dataset' | readonly string[]

/** A key of the metadata that is edited as a field. */
export interface Field {
  key: string
  label: string
  note?: string
  /** Whether it takes several values. */
  isList: boolean
  completion?: Completion
}

const licence: Field = { key: 'license', label: 'Licence', isList: false, completion: 'licence' }
const language: Field = {
  key: 'language',
  label: 'Languages',
  note: 'Codes of ISO 639 in lower case, such as en, or multilingual, or code.',
  isList: true,
  completion: 'language',
}
const tags: Field = { key: 'tags', label: 'Tags', isList: true }

const ofModels: Field[] = [
  { key: 'pipeline_tag', label: 'Task', isList: false, completion: 'task' },
  { key: 'library_name', label: 'Library', isList: false, completion: 'library' },
  licence,
  language,
  { key: 'base_model', label: 'Base models', note: 'As namespace/name.', isList: true, completion: 'model' },
  {
    key: 'base_model_relation',
    label: 'Relation to the base model',
    isList: false,
    completion: ['adapter', 'finetune', 'merge', 'quantized'],
  },
  {
    key: 'datasets',
    label: 'Datasets it was trained on',
    note: 'As namespace/name.',
    isList: true,
    completion: 'dataset',
  },
  tags,
]

const ofDatasets: Field[] = [
  { key: 'pretty_name', label: 'Name to show', isList: false },
  { key: 'task_categories', label: 'Tasks', isList: true, completion: 'task' },
  licence,
  language,
  {
    key: 'size_categories',
    label: 'Size',
    isList: true,
    completion: sizeCategories,
  },
  { key: 'source_datasets', label: 'Source datasets', isList: true, completion: 'dataset' },
  tags,
]

/** The fields of a repo's card. */
export const fieldsOf = ({ type }: Pick<Repo, 'type'>): Field[] =>
  type === 'dataset' ? ofDatasets : ofModels

/** Languages that cards name most. Any other code may be typed. */
export const commonLanguages =
  'en zh es fr de ja ko ru pt it ar hi bn id vi tr pl nl th uk fa sv cs ro el hu da fi no he ca sk bg sr hr lt lv et sl ur ta te ml mr sw multilingual code'.split(
    ' ',
  )
