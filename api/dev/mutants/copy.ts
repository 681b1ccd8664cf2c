import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A copy of the working tree, in which faults are made: threads and processes that tests start read it as well. */
export class Copy {
  readonly root = mkdtempSync(join(tmpdir(), 'arsenal-mutants-'))
  readonly #atExit = () => this.remove()

  constructor(source: string) {
    process.once('exit', this.#atExit)
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
    const files = execFileSync('git', listed, { cwd: source, encoding: 'utf8', maxBuffer: 1 << 26 })
    const deleted = execFileSync('git', ['ls-files', '--deleted'], { cwd: source, encoding: 'utf8' })
    const gone = new Set(deleted.split('\n'))
    for (const file of files.split('\n').filter((name) => name && !gone.has(name))) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true })
      cpSync(join(source, file), join(this.root, file))
    }
    this.#linkPackages(source)
  }

  /** Packages are linked, but the workspaces' own lead into this copy. */
  #linkPackages(source: string) {
    const packages = join(this.root, 'node_modules')
    mkdirSync(packages)
    for (const name of readdirSync(join(source, 'node_modules')))
      if (name !== '@arsenal') symlinkSync(join(source, 'node_modules', name), join(packages, name))
    mkdirSync(join(packages, '@arsenal'))
    for (const name of ['api', 'shared', 'web'])
      symlinkSync(join('..', '..', name), join(packages, '@arsenal', name))
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8')
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text)
  }

  remove(): void {
    process.off('exit', this.#atExit)
    rmSync(this.root, { recursive: true, force: true })
  }
}
