import { expect, test } from 'vitest'
import { ownNames } from './bookmarks.ts'

test.each([
  [
    'search=tiny&author=acme&pipeline_tag=fill-mask&license=license:mit&other=gguf,4-bit&sort=modified',
    'q=tiny&ns=acme&task=fill-mask&licence=mit&tag=gguf,4-bit&sort=updated',
  ],
  [
    'language=language:en,language:fr&size_categories=size_categories:n<1K',
    'language=en,fr&size_category=n<1K',
  ],
  ['task_categories=task_categories:translation&license=mit', 'task=translation&licence=mit'],
  ['other=a&other=b&sort=created', 'tag=a,b&sort=created'],
  // Our own names stay as they are, and go before theirs.
  [
    'q=ours&search=theirs&licence=mit&task=fill-mask&sort=size',
    'q=ours&licence=mit&task=fill-mask&sort=size',
  ],
  ['language=en&library=transformers&ns=acme', 'language=en&library=transformers&ns=acme'],
  ['sort=nonsense&apps=vllm&p=3', 'sort=nonsense&apps=vllm&p=3'],
  ['sort=constructor', 'sort=constructor'],
])('%s', (given, expected) => {
  const sorted = (query: URLSearchParams) => Object.fromEntries(query)
  expect(sorted(ownNames(new URLSearchParams(given)))).toEqual(sorted(new URLSearchParams(expected)))
})
