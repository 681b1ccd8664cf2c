// A newer git than most machines have, for the tests with real git.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { must, run, SetupError } from '../run.mjs'
import { aptInstall } from './apt.mjs'
import { cached } from './cache.mjs'

/** The release of Debian whose sources are built, and the git it has. */
const release = { suite: 'trixie', version: [2, 47] }

const quiet = { quiet: true }

/**
 * The folder to put before the PATH for git 2.47 or newer; empty where the machine's own is that new. It is built from
 * Debian's sources (two minutes on two cores), without what only its own scripts and translations need.
 */
export async function ensureNewerGit() {
  const { output } = await run('git', ['version'], quiet)
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output) ?? []).slice(1).map(Number)
  if (major > release.version[0] || minor >= release.version[1]) return ''
  return join(await cached(`git-of-${release.suite}`, build), 'bin')
}

async function build(folder) {
  await aptInstall([
    'gcc',
    'make',
    'xz-utils',
    'dpkg-dev',
    'libcurl4-gnutls-dev',
    'zlib1g-dev',
    'libexpat1-dev',
  ])
  const work = mkdtempSync(join(tmpdir(), 'arsenal-newer-git-'))
  try {
    await fetchSource(work)
    const unpacked = readdirSync(work).find((name) => /^git-\d/.test(name))
    if (unpacked === undefined) throw new Error(`the sources of git are not in ${work}`)
    const source = join(work, unpacked)
    const programs = ['git', 'git-remote-http']
    const without = ['PERL', 'TCLTK', 'GETTEXT', 'PYTHON', 'OPENSSL', 'RUST'].map((what) => `NO_${what}=1`)
    const flags = ['-s', `-j${availableParallelism()}`, 'CFLAGS=-O0', `prefix=${folder}`, ...without]
    await must('make', [...flags, ...programs], { ...quiet, cwd: source })
    install(source, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Debian's source package, checked by apt against the archive's signature, and unpacked. */
async function fetchSource(work) {
  const list = join(work, 'sources.list')
  const state = join(work, 'apt')
  mkdirSync(join(state, 'lists', 'partial'), { recursive: true })
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(list, `deb-src [signed-by=${key}] ${await debianArchive()} ${release.suite} main\n`)
  const settings = [
    `Dir::Etc::SourceList=${list}`,
    'Dir::Etc::SourceParts=-',
    `Dir::State::Lists=${join(state, 'lists')}`,
    `Dir::Cache=${state}`,
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting])
  await must('apt-get', [...settings, '-qq', 'update'], quiet)
  await must('apt-get', [...settings, '-qq', 'source', '--download-only', 'git'], { ...quiet, cwd: work })
  const archive = readdirSync(work).find((name) => name.endsWith('.orig.tar.xz'))
  await must('tar', ['-xf', archive], { ...quiet, cwd: work })
}

/** Where this machine takes its own packages from. */
async function debianArchive() {
  const wanted = ['indextargets', '--format', '$(REPO_URI) $(ORIGIN) $(CODENAME)', 'Created-By: Packages']
  const { output } = await run('apt-get', wanted, quiet).catch(() => ({ output: '' }))
  const main = output.split('\n').find((line) => / Debian [a-z]+$/.test(line))
  if (!main)
    throw new SetupError('git 2.47 or newer is not on the PATH, and this is no Debian to build it from')
  return main.split(' ')[0]
}

function install(source, folder) {
  const core = join(folder, 'libexec', 'git-core')
  for (const path of [join(folder, 'bin'), core]) mkdirSync(path, { recursive: true })
  copyFileSync(join(source, 'git'), join(folder, 'bin', 'git'))
  copyFileSync(join(source, 'git-remote-http'), join(core, 'git-remote-http'))
  symlinkSync('git-remote-http', join(core, 'git-remote-https'))
}
