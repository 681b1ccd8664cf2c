import type { FileKind } from '../kind.ts'

interface MediaProps {
  kind: FileKind
  url: string
  name: string
}

/** An image, a sound or a film as the browser plays it. */
export default function Media({ kind, url, name }: MediaProps) {
  // Files of repos bring no captions along.
  if (kind === 'audio')
    return (
      <audio controls preload="metadata" src={url} aria-label={name} style={{ width: '100%' }}>
        <track kind="captions" />
      </audio>
    )
  if (kind === 'video')
    return (
      <video
        controls
        preload="metadata"
        src={url}
        aria-label={name}
        style={{ maxWidth: '100%', maxHeight: '75vh' }}
      >
        <track kind="captions" />
      </video>
    )
  return <img src={url} alt={name} style={{ maxWidth: '100%' }} />
}
