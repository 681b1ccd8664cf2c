// The suites of Python clients, on one process and on many.
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { rowsEnvironment } from './compat-page.mjs'
import { junitCounts, together } from './counts.mjs'
import { run } from './run.mjs'
import { clientVersions } from './toolchain/client-versions.mjs'
import {
  built,
  deadline,
  nodeClients,
  oldestDatasets,
  python,
  reports,
  runNodeTests,
  scanners,
} from './stage-tools.mjs'

const rowTests = ['collections', 'community', 'copies', 'files', 'not_offered', 'repos'].map(
  (name) => `hub/test_rows_${name}.py`,
)

/** Libraries that publish models and load them, all in the environment with the newest torch. */
const modelLibraries = ['transformers', 'sentence_transformers', 'diffusers', 'peft', 'timm']

// Sounds need torch.
const tables = ['datasets', 'loaders', 'public_datasets'].map((name) => `datasets/test_${name}.py`)

/** Of the uploads, what shows each way once with the newest client; all of them run with the clients of `a` and `b`. */
const newestUploads = [
  'hub/test_uploads.py::test_a_large_file_is_an_lfs_object',
  'hub/test_uploads.py::test_delete_copy_and_move',
  'hub/test_uploads.py::test_awful_names_are_stored_as_they_are',
  'chunk/test_chunk_sizes.py::test_around_64_mib_where_a_container_is_full',
  'chunk/test_chunk_content.py::test_an_edit_of_one_percent_sends_at_most_five[clustered-1]',
  'chunk/test_chunk_interruptions.py::test_a_killed_upload_goes_on_where_it_was',
  'chunk/test_chunk_interruptions.py::test_an_upload_in_parts_begins_anew_after_a_kill',
]

/** The suites that the libraries of each environment can run; `test_zz_agreement.py` checks what they stored. */
const suites = {
  a: ['hub', 'command', 'chunk', 'device', ...modelLibraries, 'datasets'],
  b: ['hub', 'webhooks', 'chunk', 'device', ...tables],
  c: ['hub', 'chunk', 'transformers'],
  d: [...rowTests, 'hub/test_errors.py', 'hub/test_downloads.py'],
  e: [
    ...rowTests,
    'hub/test_errors.py',
    'hub/test_downloads.py',
    'hub/test_people.py',
    'hub/test_drop_in.py',
    'hub/test_new_repos.py',
    'hub/test_discussions.py',
    'hub/test_attachments.py',
    'hub/test_collections.py',
    'hub/test_large_files.py',
    'hub/test_safetensors.py',
    'hub/test_safety.py',
    'hub/test_lists.py',
    'hub/test_metadata.py',
    'hub/test_repos.py',
    'command/test_rows_by_hf.py',
    ...newestUploads,
  ],
}

/**
 * The suites of an environment, or of those only what `paths` and pytest's flags `chosen` name.
 * @param {string} name
 * @param {{ title?: string, paths?: string[], chosen?: string[], env?: Record<string, string>, minutes?: number }} [options]
 */
export async function runPython(
  name,
  { title = `compat-${name}`, paths = suites[name], chosen = [], env: more = {}, minutes = 25 } = {},
) {
  await built()
  const report = join(reports, `${title}.xml`)
  const folder = 'e2e/compat/python'
  const all = [...paths, 'test_zz_agreement.py'].map((path) => `${folder}/${path}`)
  const flags = [
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    '-o',
    'tmp_path_retention_policy=failed',
    '--rootdir',
    folder,
    `--junitxml=${report}`,
    ...chosen,
    ...all,
  ]
  const interpreters = await python()
  const others = ['a', 'b', 'c'].filter((other) => other !== name)
  const env = {
    // Without compiled modules torch and its kin load four times slower, and every `hf` command loads some.
    PYTHONDONTWRITEBYTECODE: '',
    // Other clients, which download what this one uploads.
    ARSENAL_OTHER_HF: others.map((other) => join(interpreters[other], '..', 'hf')).join(delimiter),
    ARSENAL_HUB_JS: Object.values(await nodeClients()).at(-1),
    ...(name === 'a' ? { ARSENAL_OLDEST_DATASETS: join(await oldestDatasets(), 'python') } : {}),
    ...rowsEnvironment(title),
    ...more,
  }
  await run(interpreters[name], flags, { env, ...deadline(minutes) })
  return junitCounts(report)
}

/** Of the libraries, what publishes and loads it again. */
const publishing = [
  ...modelLibraries.map((name) => `${name}/test_${name}.py`),
  'datasets/test_datasets.py',
  'test_newest_hub.py',
]

/** What publishes, with the newest client in place of the one that the environment of the libraries has. */
export async function runLibraries() {
  const { e } = await python()
  const env = {
    PYTHONPATH: sitePackages(e).join(delimiter),
    ARSENAL_NEWEST_HUB: clientVersions('huggingface_hub', 'compat-e').at(-1),
  }
  return runPython('a', { title: 'compat-libraries', paths: publishing, env })
}

function sitePackages(interpreter) {
  const lib = join(interpreter, '..', '..', 'lib')
  return readdirSync(lib).map((version) => join(lib, version, 'site-packages'))
}

/** Our parsers and scanner beside those of others, on files that many libraries write. */
export async function runScanning() {
  const report = join(reports, 'scanning.xml')
  const folder = 'e2e/scanning'
  const flags = [
    '-q',
    '-p',
    'no:cacheprovider',
    '--show-capture=no',
    '--rootdir',
    folder,
    `--junitxml=${report}`,
  ]
  const packages = sitePackages(join(await scanners(), 'python'))
  const env = { PYTHONDONTWRITEBYTECODE: '', PYTHONPATH: packages.join(delimiter) }
  await run((await python()).a, ['-m', 'pytest', ...flags, folder], { env, ...deadline(15) })
  return junitCounts(report)
}

/** Many processes: a real part of the Python suites, a frozen worker, a store that fails, people who commit meanwhile. */
export async function runTopology(stores) {
  const suites = await runPython('a', {
    title: 'topology',
    paths: ['hub/test_repos.py', 'hub/test_uploads.py', 'chunk/test_chunk_interruptions.py'],
    // What takes longest here says no more than on one process.
    chosen: ['-k', 'not gibibyte and not eight_sessions and not killed_upload and not begins_anew'],
    env: { ...stores, ARSENAL_COMPAT_TOPOLOGY: 'redirect' },
  })
  return together(suites, await runNodeTests('e2e/topology/run.mjs', [], { env: stores }))
}
