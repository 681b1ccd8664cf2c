import { numberFormat } from '../../lib/format.ts'

/** One measured value of a model, as its card's `model-index` names it. */
export interface EvalValue {
  /** Of the dataset, with its config and split where they are named. */
  dataset: string
  metric: string
  value: string
  /** Somebody else than the author has measured it again. */
  isVerified: boolean
  source: { name: string; url: string } | undefined
}

/** More are not shown: results of large benchmarks have up to 900 KiB. */
export const MAX_EVAL_VALUES = 500

const formatValue = numberFormat({ maximumFractionDigits: 4 })

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

function shownValue(value: unknown): string | undefined {
  if (typeof value === 'number') return formatValue(value)
  if (typeof value === 'boolean') return String(value)
  return textOf(value)
}

function datasetOf(value: unknown): string {
  const { name, type, config, split } = fieldsOf(value)
  const detail = [config, split].flatMap((part) => textOf(part) ?? []).filter((part) => part !== 'default')
  const title = textOf(name) ?? textOf(type) ?? 'Unnamed dataset'
  return detail.every((part) => title.includes(part)) ? title : `${title} (${detail.join(', ')})`
}

function sourceOf(value: unknown): EvalValue['source'] {
  const { name, url } = fieldsOf(value)
  const address = textOf(url)
  if (address === undefined || !/^https?:\/\//i.test(address)) return undefined
  return { name: textOf(name) ?? 'source', url: address }
}

/** The values of a `model-index` in its order, at most {@link MAX_EVAL_VALUES}. Entries of no known form are left out. */
export function evalValues(modelIndex: unknown[]): EvalValue[] {
  const values: EvalValue[] = []
  for (const model of modelIndex)
    for (const result of listOf(fieldsOf(model)['results'])) {
      const { dataset, metrics, source } = fieldsOf(result)
      for (const metric of listOf(metrics)) {
        const { name, type, value, verified } = fieldsOf(metric)
        const shown = shownValue(value)
        const called = textOf(name) ?? textOf(type)
        if (shown === undefined || called === undefined) continue
        values.push({
          dataset: datasetOf(dataset),
          metric: called,
          value: shown,
          isVerified: verified === true,
          source: sourceOf(source),
        })
        if (values.length === MAX_EVAL_VALUES) return values
      }
    }
  return values
}
