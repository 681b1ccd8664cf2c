import type { Ctx } from '../../../core/ctx.ts'
import { pagePath, readDetails, type Repo } from '../../repos/index.ts'
import type { Dataset, DatasetConfig } from '../facts.ts'
import { context } from './context.ts'
import { fieldOf, Ids, type CroissantField } from './fields.ts'

/** The public hub describes so many configs, and so many columns of each. */
const MAX_CONFIGS = 100
const MAX_COLUMNS = 1000

/** A dataset in the words of Croissant 1.1 (docs/protocols/dataset-viewer.md §7). */
export async function describeCroissant(ctx: Ctx, repo: Repo, dataset: Dataset): Promise<object> {
  const { public_url: base } = ctx.config.server
  const url = `${base}/${pagePath(repo)}`
  const { tags, card } = await readDetails(ctx.db, repo.id)
  const ids = new Ids()
  const root = ids.take('repo')
  const sets: object[] = []
  const records: object[] = []
  const name = `${repo.ns}/${repo.name}`
  const shown = dataset.configs.filter(isExported)
  for (const config of shown.slice(0, MAX_CONFIGS)) {
    const fileSet = ids.take(`parquet-files-for-config-${config.name}`)
    sets.push({
      '@type': 'cr:FileSet',
      '@id': fileSet,
      containedIn: { '@id': root },
      encodingFormat: 'application/x-parquet',
      includes: `${config.name}/*/*.parquet`,
    })
    const id = ids.take(config.name === name ? `record_set_${config.name}` : config.name)
    records.push(splitRecords(config, id), rowRecords(config, { id, fileSet, name }))
  }
  const title = card?.['pretty_name']
  return {
    '@context': context,
    '@type': 'sc:Dataset',
    distribution: [
      {
        '@type': 'cr:FileObject',
        '@id': root,
        name: root,
        description: 'The git repository.',
        contentUrl: `${url}/tree/refs%2Fconvert%2Fparquet`,
        encodingFormat: 'git+https',
        // Croissant wants one of every file, which a repository has not.
        sha256: 'https://github.com/mlcommons/croissant/issues/80',
      },
      ...sets,
    ],
    recordSet: records,
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    name: repo.name,
    description: repo.description ?? `The dataset ${name}.`,
    alternateName: [name, ...(typeof title === 'string' ? [title] : [])],
    creator: {
      '@type': repo.nsKind === 'org' ? 'Organization' : 'Person',
      name: repo.ns,
      url: `${base}/${repo.ns}`,
    },
    keywords: tags,
    ...(repo.licence === null ? {} : { license: licenceUrl(repo.licence) }),
    dateCreated: repo.createdAt.toISOString(),
    dateModified: repo.updatedAt.toISOString(),
    url,
  }
}

const isExported = ({ splits }: DatasetConfig) => splits.some(({ files }) => files.length > 0)

const licenceUrl = (id: string) => `https://choosealicense.com/licenses/${encodeURIComponent(id)}/`

/** The names of the splits, which the rows refer to. */
const splitRecords = ({ splits }: DatasetConfig, id: string) => ({
  '@type': 'cr:RecordSet',
  dataType: 'cr:Split',
  key: { '@id': `${id}_splits/split_name` },
  '@id': `${id}_splits`,
  name: `${id}_splits`,
  description: `Splits for the ${id} config.`,
  field: [{ '@type': 'cr:Field', '@id': `${id}_splits/split_name`, dataType: 'sc:Text' }],
  data: splits.map(({ name }) => ({ [`${id}_splits/split_name`]: name })),
})

function rowRecords(
  { name: config, splits, features }: DatasetConfig,
  { id, fileSet, name }: { id: string; fileSet: string; name: string },
) {
  const names = splits.map((split) => escaped(split.name)).join('|')
  const field: CroissantField[] = [
    {
      '@type': 'cr:Field',
      '@id': `${id}/split`,
      dataType: 'sc:Text',
      source: {
        fileSet: { '@id': fileSet },
        extract: { fileProperty: 'fullpath' },
        transform: { regex: `${escaped(config)}/(?:partial-)?(${names})/.+parquet$` },
      },
      references: { field: { '@id': `${id}_splits/split_name` } },
    },
  ]
  const columns = new Ids()
  columns.take('split')
  const skipped: string[] = []
  for (const feature of features.slice(0, MAX_COLUMNS)) {
    const found = fieldOf(feature, { id: `${id}/${columns.take(feature.name)}`, fileSet })
    if (found) field.push(found)
    else skipped.push(feature.name)
  }
  const notes = [
    ...(splits.length > 1
      ? [`${splits.length} splits: ${splits.map((split) => split.name).join(', ')}`]
      : []),
    ...(splits.some((split) => split.is_partial) ? ['the first rows of the files'] : []),
    ...(skipped.length > 0 ? [`without the columns ${skipped.join(', ')}`] : []),
    ...(features.length > MAX_COLUMNS ? [`${MAX_COLUMNS} of ${features.length} columns`] : []),
  ]
  const more = notes.map((note) => `\n- ${note}`).join('')
  return {
    '@type': 'cr:RecordSet',
    '@id': id,
    description: `${name} - '${config}' subset${more}`,
    field,
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
