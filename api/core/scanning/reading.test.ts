import { expect, test } from 'vitest'
import { corpora } from './testing/fuzz.ts'
import { inMemory } from '../parsers/index.ts'
import { readingOf, scanBytes } from './index.ts'

test.each([
  ['weights/Model.PKL', 'x.pkl'],
  ['model.v1.safetensors', 'x.safetensors'],
  ['a.b/c', 'x'],
  ['.pkl', 'x.pkl'],
  ['photo.png', 'x'],
  ['model.pkl.gz', 'x.pkl.gz'],
  ['sub/tokenizer_config.json', 'config.json'],
  ['config.json.gz', 'config.json.gz'],
  ['other.json', 'x'],
  ['a.z.z.z.z.z.z.pkl', 'x.z.z.z.pkl'],
])('%s is read as %s', (path, reading) => {
  expect(readingOf(path)).toBe(reading)
})

test('files are judged by their reading as by their path', () => {
  const names =
    'a.bin a.pt a.ckpt b/c.pkl d.p e.joblib f.dat g.npy h.npz i.zip j.keras k.nemo l.tar m.tgz n.h5 o.pb p.onnx q.py r.yaml ' +
    's.jinja t.safetensors u.gguf config.json v.txt w.pkl.gz README'
  for (const name of names.split(' '))
    for (const { files } of Object.values(corpora))
      for (const file of files) {
        const judged = (path: string) => scanBytes({ path }, inMemory(file))
        expect(judged(readingOf(name)), name).toEqual(judged(name))
      }
})
