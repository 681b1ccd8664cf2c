import { Center } from '@mantine/core'

/** An SVG as an image: scripts in it do not run, and nothing that it names is loaded. */
export default function SvgImage({ text, name }: { text: string; name: string }) {
  return (
    <Center p="md" mih={200}>
      <img
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`}
        alt={name}
        style={{ maxWidth: '100%', maxHeight: '75vh', minWidth: 120 }}
      />
    </Center>
  )
}
