// Backup beside a busy server, and restore elsewhere: what was acknowledged before is read by git, git-lfs and the hub's client.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
