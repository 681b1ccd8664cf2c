import { useState } from 'react'
import type { FileKind } from '../kind.ts'
import { ViewerSkeleton } from './viewer-skeleton.tsx'

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
  return <Picture url={url} name={name} />
}

/** Nothing says how large an image is before it has come. */
function Picture({ url, name }: { url: string; name: string }) {
  const [hasCome, setHasCome] = useState(false)
  const onCome = () => setHasCome(true)
  return (
    <>
      {!hasCome && <ViewerSkeleton height={240} />}
      <img
        src={url}
        alt={name}
        hidden={!hasCome}
        onLoad={onCome}
        onError={onCome}
        style={{ maxWidth: '100%' }}
      />
    </>
  )
}
