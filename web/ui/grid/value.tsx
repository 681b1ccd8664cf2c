import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FeatureType } from '../../../shared/viewer.ts'
import { JsonTree } from '../json-tree.tsx'
import { chatOf, isOurs, labelText, mediaOf, type ChatMessage, type MediaSource } from './cell-text.ts'
import { elementOf, kindOf, type Kind } from './feature-types.ts'
import { Lightbox } from './lightbox.tsx'
import { LongText } from './long-text.tsx'
import classes from './value.module.css'

interface ValueProps {
  type: FeatureType
  value: unknown
  isCut: boolean
}

/** A cell in full: a picture, a player, a conversation, a tree or a text. */
export function Value({ type, value, isCut }: ValueProps) {
  if (value === null || value === undefined) return <Text c="dimmed">null</Text>
  const kind = kindOf(type)
  if (isCut || typeof value === 'string') return <LongText text={String(value)} isCut={isCut} />
  if (isMedia(kind)) return <Media kind={kind} value={value} />
  if (kind === 'label')
    return (
      <Text size="sm">
        {labelText(value, type)} <Text span inherit c="dimmed">{`(${String(value)})`}</Text>
      </Text>
    )
  const element = kindOf(elementOf(type))
  if (Array.isArray(value) && kind === 'list' && isMedia(element))
    return (
      <div className={classes['gallery']}>
        {value.map((one: unknown, i) => (
          // The elements of a list are in a fixed order.
          // oxlint-disable-next-line react/no-array-index-key
          <Media key={i} kind={element} value={one} />
        ))}
      </div>
    )
  const messages = chatOf(value)
  if (messages) return <Chat messages={messages} />
  if (typeof value === 'object') return <JsonTree value={value} />
  return (
    <Text size="sm" ff="monospace">
      {String(value)}
    </Text>
  )
}

const isMedia = (kind: Kind): kind is 'image' | 'audio' | 'video' | 'pdf' =>
  kind === 'image' || kind === 'audio' || kind === 'video' || kind === 'pdf'

/** A conversation as its turns. */
function Chat({ messages }: { messages: ChatMessage[] }) {
  return (
    <Stack gap="xs">
      {messages.map(({ role, text }, i) => (
        <div
          // Turns are in a fixed order.
          // oxlint-disable-next-line react/no-array-index-key
          key={i}
          className={classes['turn']}
          data-role={sideOf(role)}
        >
          <div className={classes['role']}>{role}</div>
          <div className={classes['text']}>{text}</div>
        </div>
      ))}
    </Stack>
  )
}

/** Which side of the conversation speaks, by the role's usual names. */
function sideOf(role: string): string {
  if (/^(user|human|prompter)$/i.test(role)) return 'user'
  return /^(assistant|gpt|bot|model|chatgpt)$/i.test(role) ? 'assistant' : 'other'
}

function Media({ kind, value }: { kind: 'image' | 'audio' | 'video' | 'pdf'; value: unknown }) {
  const source = mediaOf(value)
  if (!source) return <Text c="dimmed">The file of this cell is missing.</Text>
  if (!isOurs(source.src)) return <Elsewhere src={source.src} />
  if (kind === 'image') return <Picture source={source} />
  const player = { className: classes['wide'], src: source.src, controls: true, preload: 'metadata' }
  // Recordings of a dataset come without captions.
  // oxlint-disable jsx-a11y/media-has-caption
  if (kind === 'audio') return <audio {...player} />
  if (kind === 'video') return <video {...player} />
  // oxlint-enable jsx-a11y/media-has-caption
  return (
    <Anchor href={source.src} target="_blank" rel="noreferrer" underline="always" size="sm">
      Open the PDF
    </Anchor>
  )
}

function Picture({ source }: { source: MediaSource }) {
  const [isLarge, setIsLarge] = useState(false)
  return (
    <>
      <button type="button" className={classes['picture']} onClick={() => setIsLarge(true)}>
        <img src={source.src} alt="In full size" decoding="async" />
      </button>
      {source.width !== undefined && (
        <Text size="xs" c="dimmed">
          {source.width} × {source.height}
        </Text>
      )}
      {isLarge && <Lightbox src={source.src} onClose={() => setIsLarge(false)} />}
    </>
  )
}

/** What is on another server is not loaded by itself: that would tell it who reads here. */
function Elsewhere({ src }: { src: string }) {
  return (
    <Text size="sm">
      On another server:{' '}
      <Anchor href={src} target="_blank" rel="noreferrer noopener nofollow" underline="always" inherit>
        {src}
      </Anchor>
    </Text>
  )
}
