import { expect, test } from 'vitest'
import type { Schema } from '../openapi.ts'
import { breaks, type Document } from './compare.ts'

const body = (schema: Schema): Document => ({
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 200: {} },
      },
    },
  },
})
const answer = (schema: Schema): Document => ({
  paths: {
    '/things': {
      get: { operationId: 'getThing', responses: { 200: { content: { 'application/json': { schema } } } } },
    },
  },
})
const thing = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
})
const text = { type: 'string' }

test.each([
  ['a lost operation', answer(text), { paths: {} }, 'is gone'],
  ['a lost property of an answer', answer(thing({ a: text })), answer(thing({})), 'a: is gone'],
  ['one that may be absent', answer(thing({ a: text }, ['a'])), answer(thing({ a: text })), 'may be absent'],
  ['another type', answer(thing({ a: text })), answer(thing({ a: { type: 'integer' } })), 'was string'],
  ['null where there was none', answer(text), answer({ type: ['string', 'null'] }), 'string or null'],
  ['a new required property', body(thing({})), body(thing({ a: text }, ['a'])), 'is required now'],
  ['a value that is refused', body({ enum: ['a', 'b'] }), body({ enum: ['a'] }), 'takes "b" no more'],
])('%s breaks callers', (_, released, now, expected) => {
  expect(breaks(released, now)).toEqual([expect.stringContaining(expected)])
})

test.each([
  ['a new operation', { paths: {} }, answer(text)],
  ['a new property of an answer', answer(thing({})), answer(thing({ a: text }, ['a']))],
  ['a new optional property', body(thing({})), body(thing({ a: text }))],
  ['a property that may be left out now', body(thing({ a: text }, ['a'])), body(thing({ a: text }))],
  ['a wider type', body({ type: 'integer' }), body({ type: 'number' })],
  ['a new value to send', body({ enum: ['a'] }), body({ enum: ['a', 'b'] })],
])('%s breaks no caller', (_, released, now) => {
  expect(breaks(released, now)).toEqual([])
})

test('a schema that names itself ends', () => {
  const self: Document = {
    ...answer({ $ref: '#/components/schemas/Node' }),
    components: { schemas: { Node: thing({ next: { $ref: '#/components/schemas/Node' } }) } },
  }
  expect(breaks(self, self)).toEqual([])
})
