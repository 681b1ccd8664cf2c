import {
  IconBraces,
  IconCube,
  IconFile,
  IconFileCode,
  IconFileText,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconTable,
} from '@tabler/icons-react'

const kinds = [
  [IconCube, 'safetensors gguf bin pt pth ckpt onnx h5 keras tflite msgpack pkl pickle joblib model npz npy'],
  [IconTable, 'csv tsv parquet arrow jsonl xlsx'],
  [IconPhoto, 'png jpg jpeg gif webp avif svg bmp ico apng'],
  [IconMusic, 'mp3 wav ogg flac m4a opus'],
  [IconMovie, 'mp4 webm mov mkv'],
  [IconFileText, 'md markdown txt pdf rst'],
  [IconBraces, 'json yaml yml toml ini cfg'],
  [IconFileCode, 'py js ts tsx jsx sh ipynb c cpp h go rs java r jl lua rb php sql html css xml jinja'],
  [IconFileZip, 'zip gz tar zst 7z bz2 xz'],
] as const

const icons = new Map(
  kinds.flatMap(([Icon, words]) =>
    words.split(' ').map((word) => [word, <Icon key={word} size={16} aria-hidden />] as const),
  ),
)

/** A picture of what a file holds, by its name. */
export function FileIcon({ name }: { name: string }) {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return icons.get(extension) ?? <IconFile size={16} aria-hidden />
}
