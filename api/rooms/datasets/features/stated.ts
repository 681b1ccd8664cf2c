import type { FeatureType, NamedFeature } from '../../../../shared/viewer.ts'
import { readFeatures, sameType, storageOf } from './feature.ts'

/** Longer keys are of files that somebody made to hurt. */
export const MAX_KEY_BYTES = 16 * 1024 * 1024

/** The types that the key `huggingface` of a schema gives, by column. */
export function statedFeatures(text: string | undefined): Map<string, FeatureType> {
  if (text === undefined || text.length > MAX_KEY_BYTES) return new Map()
  try {
    const parsed = JSON.parse(text) as { info?: { features?: unknown } } | null
    return readFeatures(parsed?.info?.features)
  } catch {
    return new Map()
  }
}

/** A column with its stated type, where its bytes are of that type. */
export function withStated(
  stated: ReadonlyMap<string, FeatureType>,
  { name, type }: NamedFeature,
): NamedFeature {
  const own = stated.get(name)
  return { name, type: own && sameType(storageOf(own), type) ? own : type }
}
