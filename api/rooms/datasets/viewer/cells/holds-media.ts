import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isMedia, typesIn } from '../../features/feature.ts'

/** Whether a column holds media somewhere; such columns are never cut. */
export const holdsMedia = (type: FeatureType): boolean => [...typesIn(type)].some(isMedia)
