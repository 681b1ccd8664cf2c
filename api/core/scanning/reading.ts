/** Settings whose chat template is looked at. */
const settings = /^(config|tokenizer_config|processor_config|preprocessor_config|chat_template)\.json$/

/** Endings that change how a file is read; all other files are known by what they begin with. */
const endings = new Set(
  (
    'bin pt pth pt2 ckpt pkl pickle p joblib dill dat data mar zip keras npz whl nemo gz z tgz ' +
    'h5 hdf5 pb onnx jinja jinja2 j2 yml yaml py safetensors gguf'
  ).split(' '),
)
/** A compressed file is read by the ending below that of the compression; archives are followed three deep. */
const MAX_ENDINGS = 4

/**
 * The part of a path that a verdict depends on, as a file name: `x.pkl` for every pickle by name. Files of equal bytes and
 * equal reading have equal verdicts.
 */
export function readingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (settings.test(name)) return 'config.json'
  if (/^config\.json\.(gz|z)$/.test(name)) return name
  const parts = name.split('.').slice(1)
  const from = parts.findLastIndex((part, i) => !endings.has(part) || parts.length - i > MAX_ENDINGS)
  return ['x', ...parts.slice(from + 1)].join('.')
}
