import { eq } from 'drizzle-orm'
import { accessFieldKinds, type AccessFieldKind } from '../../../../shared/vocabulary.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Reader } from '../queries.ts'

/** One question of an access form. */
export interface AccessField {
  name: string
  kind: AccessFieldKind
  /** Of a `select`: what can be chosen. */
  options?: string[]
}

/** What a gated repo's card says to those who ask for access, and what it asks them. */
export interface AccessForm {
  heading?: string
  prompt?: string
  description?: string
  button?: string
  fields: AccessField[]
}

const MAX_FIELDS = 50
const MAX_OPTIONS = 300
// AccessRequestCreate takes no longer names, and prompts are part of every answer about the repo.
const MAX_NAME = 100
const MAX_TEXT = 20_000

const text = (value: unknown, most = MAX_TEXT): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, most) : undefined

/** A country is shown by its name, a date as `2026-03-01`; what the server finds out by itself is not asked. */
function kindOf(type: unknown): AccessFieldKind | undefined {
  if (type === 'ip_location') return undefined
  if (type === 'date_picker') return 'date'
  return accessFieldKinds.find((kind) => kind === type) ?? 'text'
}

const optionOf = (option: unknown): string | undefined => {
  if (typeof option !== 'object' || option === null) return option === null ? undefined : String(option)
  const { value, label } = option as { value?: unknown; label?: unknown }
  return text(value) ?? text(label)
}

function fieldOf(name: string, asked: unknown): AccessField | undefined {
  if (name.length > MAX_NAME) return undefined
  const { type = asked, options } = (typeof asked === 'object' && asked !== null ? asked : {}) as {
    type?: unknown
    options?: unknown
  }
  const kind = kindOf(type)
  if (kind !== 'select') return kind && { name, kind }
  const choices = (Array.isArray(options) ? options : []).slice(0, MAX_OPTIONS).map(optionOf)
  return { name, kind, options: [...new Set(choices.filter((choice) => choice !== undefined))] }
}

/**
 * The access form of a card's front matter, by the keys `extra_gated_*` of the public hub (hub-docs:
 * docs/hub/models-gated.md). What does not fit is left out.
 */
export function accessFormOf(card: Record<string, unknown> | null): AccessForm {
  const asked = card?.['extra_gated_fields']
  const fields = typeof asked === 'object' && asked !== null && !Array.isArray(asked) ? asked : {}
  const texts = {
    heading: text(card?.['extra_gated_heading'], 200),
    prompt: text(card?.['extra_gated_prompt']),
    description: text(card?.['extra_gated_description']),
    button: text(card?.['extra_gated_button_content'], 200),
  }
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    fields: Object.entries(fields)
      .slice(0, MAX_FIELDS)
      .flatMap(([name, value]) => fieldOf(name, value) ?? []),
  }
}

/** Throws `validation-failed` naming every question of the repo's card that is not answered. */
export async function requireAnswers(
  { q, t: { repo_heads: heads } }: Reader,
  repoId: string,
  answers: Record<string, string>,
): Promise<void> {
  const [row] = await q.select({ card: heads.card }).from(heads).where(eq(heads.repo_id, repoId))
  const errors = accessFormOf(row?.card ?? null).fields.flatMap((field) => {
    const answer = Object.hasOwn(answers, field.name) ? answers[field.name] : undefined
    const fault = faultOf(field, answer?.trim() ?? '')
    return fault ? [{ field: `fields.${field.name}`, ...fault }] : []
  })
  if (errors.length > 0) throw new Problem('validation-failed', { errors })
}

function faultOf({ kind, options }: AccessField, answer: string) {
  if (kind === 'checkbox')
    return answer === 'true' ? undefined : { code: 'required', message: 'must be agreed to' }
  if (answer === '') return { code: 'required', message: 'must be answered' }
  if (options && !options.includes(answer))
    return { code: 'unknown-choice', message: 'must be one of the choices' }
  return undefined
}
