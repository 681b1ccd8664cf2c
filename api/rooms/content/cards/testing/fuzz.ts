import { loadVocabulary, metadataOf, noFindings, papersIn } from '../../../../core/metadata/index.ts'
import { parseCard } from '../card.ts'
import { validateYaml } from '../validate-yaml.ts'

const body =
  '\n# A model\nSee https://arxiv.org/abs/2401.00001 and [data](https://doi.org/10.1000/182).\n---\n'
const card = (yaml: string): Buffer => Buffer.from(`---\n${yaml}---\n${body}`)

/** READMEs that changes begin with. */
export const cards = [
  card(
    'license: mit\nlanguage:\n- en\n- no\ntags: [a, "b"]\nbase_model: a/b\nbase_model_relation: merge\n' +
      'model-index:\n- name: x\n  results:\n  - task: {type: t}\n    dataset: {type: d, name: n}\n    metrics: [{type: m, value: 1}]\n',
  ),
  card('a: &x {b: [1, 2]}\nc: *x\nd: |\n  text\n  more\ne: >-\n  folded\n# comment\n'),
  card(
    'license: [apache-2.0, gpl-3.0-only]\nsize_categories: 1K<n<10K\ntask_categories: [text-generation]\n' +
      'configs:\n- config_name: default\n  data_files: "*.csv"\ndataset_info:\n  features: [{name: a, dtype: string}]\n  splits: [{name: train, num_examples: 7}]\n',
  ),
]

/** Reads a README as its check and the indexer do. Throws where one of them fails, or says more than is kept. */
export async function readCardFully(file: Buffer): Promise<void> {
  const readme = file.toString('utf8')
  const { frontMatter = null, body: text } = await parseCard(readme)
  const vocabulary = await loadVocabulary()
  for (const type of ['model', 'dataset'] as const) {
    const { errors, warnings } = await validateYaml(readme, type)
    const metadata = metadataOf(type, { frontMatter, papers: papersIn(text) }, noFindings, vocabulary)
    const said = JSON.stringify([errors, warnings, metadata])
    if (said.length > 1_000_000)
      throw new Error(`The metadata of ${file.length} bytes has ${said.length} characters.`)
  }
}
