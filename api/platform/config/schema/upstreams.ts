import { z } from 'zod'
import * as checks from '../checks.ts'
import { bool, each, int, list, secret, size, text } from '../makers.ts'
import { section, url, withoutSlash } from './section.ts'

const id = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/

export const upstreams = z
  .record(
    z
      .string()
      .regex(id, 'an upstream id is made of a-z, 0-9, - and _, and begins and ends with a letter or digit'),
    section({
      base_url: text('')
        .superRefine(url())
        .transform(withoutSlash)
        .meta({ kind: 'string', shown: "the public hub's address for the built-in `huggingface`" })
        .describe("Base URL of the upstream's hub API."),
      enabled: bool(true).describe('Whether users can discover and pull from it.'),
      token: secret('').describe('Instance token, used when the user has saved none.'),
      namespace_prefix: text('').describe(
        'Prefix of mirror namespaces of this upstream. Prefixed mirrors no longer work as drop-in endpoint replacements.',
      ),
      viewer_url: text('')
        .superRefine(url())
        .transform(withoutSlash)
        .meta({ kind: 'string', shown: 'empty' })
        .describe('Dataset viewer URL; empty is the base URL with a dataset-server label added to the host.'),
    }),
  )
  .prefault({})

export const pull = section({
  bandwidth_limit: size('0').describe('Bytes per second across the instance; 0 is unlimited.'),
  concurrency: int(4, { min: 1 }).describe('Files transferred at once across the instance.'),
  windows: list()
    .superRefine(each(checks.windowFault))
    .describe(
      'Times when transfers may run, such as `01:00-07:00`, in `server.timezone`; empty is any time.',
    ),
  pull_through: section({
    enabled: bool(false).describe('Turns pull-through on.'),
    allow: list(['*']).describe('Globs of upstream repo ids that may be pulled through.'),
    min_role: text('user', ['anonymous', 'user']).describe('Who may trigger it: `anonymous` or `user`.'),
  }),
  dependencies: section({
    auto_pull_code: bool(true).describe('Pull code dependencies (from `auto_map`) automatically.'),
    auto_pull_base_models: bool(false).describe('Pull the base model of adapters automatically.'),
    max_depth: int(5).describe('Greatest depth of recursive dependency pulls.'),
  }),
})
