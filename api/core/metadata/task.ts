import data from './data/architectures.json' with { type: 'json' }
import type { Findings } from './findings.ts'

interface Row {
  /** Absent for classes of no task of the hub. */
  task?: string
  autoClass: string
  /** Separated by blanks. */
  architectures: string
}

const rows: Row[] = data.rows
const rowOf = new Map(rows.flatMap((row) => row.architectures.split(' ').map((name) => [name, row] as const)))
const processorOf = new Map(
  Object.entries(data.processors).flatMap(([name, types]) =>
    types.split(' ').map((type) => [type, name] as const),
  ),
)

/** Ends of class names that say what a model is for, where the table does not know the class. */
const suffixes: [suffix: RegExp, task: string][] = [
  [/(ForCausalLM|LMHeadModel)$/, 'text-generation'],
  [/ForSequenceClassification$/, 'text-classification'],
  [/ForTokenClassification$/, 'token-classification'],
  [/ForQuestionAnswering$/, 'question-answering'],
  [/ForMaskedLM$/, 'fill-mask'],
  [/ForImageClassification$/, 'image-classification'],
  [/ForObjectDetection$/, 'object-detection'],
  [/For\w*Segmentation$/, 'image-segmentation'],
  [/ForCTC$/, 'automatic-speech-recognition'],
  [/Model$/, 'feature-extraction'],
]

const defaultTasks = new Map([
  ['sentence-transformers', 'sentence-similarity'],
  ['timm', 'image-classification'],
  ['diffusers', 'text-to-image'],
  ['stable-baselines3', 'reinforcement-learning'],
])

/** The task of a library whose models are all for one. */
export const taskOfLibrary = (library: string | null): string | undefined => defaultTasks.get(library ?? '')

/** What a model is for by its first architecture (indexing.md §4). */
export function taskOfArchitecture({
  architectures: [name],
  hasVision,
  hasSpeech,
}: Findings): string | undefined {
  if (name === undefined) return undefined
  const known = rowOf.get(name)
  if (known) return known.task
  if (name.endsWith('ForConditionalGeneration'))
    return hasVision ? 'image-text-to-text' : hasSpeech ? 'automatic-speech-recognition' : 'text-generation'
  return suffixes.find(([suffix]) => suffix.test(name))?.[1]
}

/** Architectures of GGUF files whose models embed and do not generate. */
const embedding = /(^|-)bert|^nomic-bert|^t5encoder$|embed/

/** What GGUF files are for. */
export function taskOfGguf({ gguf, hasProjector }: Findings): string | undefined {
  if (!gguf) return undefined
  if (hasProjector) return 'image-text-to-text'
  return embedding.test(gguf.architecture ?? '') ? 'feature-extraction' : 'text-generation'
}

/** The class of transformers that loads an architecture. */
export const autoClassOf = (architecture: string | undefined): string | undefined =>
  architecture === undefined ? undefined : rowOf.get(architecture)?.autoClass

/** The class of transformers that loads what stands before a model of this type. */
export const processorOfType = (modelType: string | undefined): string | undefined =>
  processorOf.get(modelType ?? '')
