import type { FeatureType } from '../../../../../shared/viewer.ts'
import { isKind, isStruct, value } from '../../features/feature.ts'
import { ident } from '../../sql-text.ts'
import { duckType } from './types.ts'

/*
 * Times in JSON are text. DuckDB 1.5 drops their zone and refuses those without seconds; pyarrow 26 counts them in UTC and
 * fills up with zeros.
 */

/** `moment(s)`: the time of an ISO 8601 text in UTC. Behind the date come a letter, the clock and the zone. */
export const momentMacros = [
  `CREATE OR REPLACE TEMP MACRO moment_zone(s) AS replace(regexp_extract(substr(s, 12), '[+-].*$'), ':', '')`,
  `CREATE OR REPLACE TEMP MACRO moment_minutes(zone) AS
    (coalesce(try_cast(substr(zone, 2, 2) AS BIGINT), 0) * 60 + coalesce(try_cast(substr(zone, 4, 2) AS BIGINT), 0))
    * CASE WHEN zone LIKE '-%' THEN -1 ELSE 1 END`,
  `CREATE OR REPLACE TEMP MACRO moment_clock(clock) AS clock || substr('00:00:00', length(clock) + 1)`,
  `CREATE OR REPLACE TEMP MACRO moment(s) AS
    CAST(substr(s, 1, 10) || ' ' || moment_clock(regexp_extract(substr(s, 12), '^[0-9:.]*')) AS TIMESTAMP)
    - to_minutes(moment_minutes(moment_zone(s)))`,
]

const isMoment = (type: FeatureType) => isKind(type, 'Value') && /^timestamp\[\w+\]$/.test(type.dtype)

/** The type that a column is read as: its times are text. */
export const textType = (type: FeatureType): string => duckType(asText(type))

function asText(type: FeatureType): FeatureType {
  if (isMoment(type)) return value('string')
  if (isStruct(type))
    return Object.fromEntries(Object.entries(type).map(([name, field]) => [name, asText(field)]))
  if (isKind(type, 'List', 'LargeList', 'Sequence')) return { ...type, feature: asText(type.feature) }
  return type
}

const hasMoments = (type: FeatureType) => textType(type) !== duckType(type)

/** The column of a type as an expression over that of `textType`. */
export function withMoments(sql: string, type: FeatureType, depth = 0): string {
  if (!hasMoments(type)) return sql
  if (isMoment(type)) return `CAST(moment(${sql}) AS ${duckType(type)})`
  if (isStruct(type)) {
    const fields = Object.entries(type).map(
      ([name, field]) => `${ident(name)} := ${withMoments(`${sql}.${ident(name)}`, field, depth)}`,
    )
    return `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${fields.join(', ')}) END`
  }
  if (!isKind(type, 'List', 'LargeList', 'Sequence')) return sql
  const item = `item${depth}`
  return `list_transform(${sql}, lambda ${item}: ${withMoments(item, type.feature, depth + 1)})`
}
