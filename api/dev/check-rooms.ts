import { pathToFileURL } from 'node:url'
import { importsBelow, type Import } from './imports.ts'
import {
  floors,
  mountedOnly,
  roomOf,
  sideDoors,
  sideways,
  schemaFile,
  surfaceFile,
  topFiles,
  vendorHomes,
} from './rooms.ts'

const topFloor = floors.length - 1

/** What is wrong with an import under the rules of the house; nothing when it is allowed. */
export function roomFault(found: Import): string | undefined {
  if (isOutside(found.from)) return undefined
  const area = found.from.split('/')[0]
  if (area === 'shared') return sharedFault(found)
  if (area === 'web') return webFault(found)
  if (area !== 'api') return undefined
  return found.isPackage ? vendorFault(found) : (entryFault(found) ?? floorFault(found))
}

/** Tests and tools, which may reach everywhere. */
function isOutside(file: string): boolean {
  return /\.test\.tsx?$|(^|\/)((testing|conformance)\.ts$|testing\/)|^api\/dev\//.test(file)
}

function sharedFault({ to, isPackage }: Import): string | undefined {
  return isPackage || !to.startsWith('shared/')
    ? 'shared/ imports nothing: it is the published client'
    : undefined
}

function webFault({ from, to, isPackage }: Import): string | undefined {
  if (isPackage) return to.startsWith('@arsenal/api') ? 'web/ imports shared/ alone' : undefined
  if (!/^(web|shared)\//.test(to)) return 'web/ imports shared/ alone'
  const [own, other] = [featureOf(from), featureOf(to)]
  return own && other && own !== other
    ? 'features do not import each other; compose them in web/app/'
    : undefined
}

function featureOf(file: string): string | undefined {
  return /^web\/features\/([^/]+)\//.exec(file)?.[1]
}

function vendorFault({ from, to }: Import): string | undefined {
  const home = vendorHomes.find(({ vendor }) => vendor.test(to))
  const path = from.replace(new RegExp(`^api/(?:(?:${floors.join('|')})/)?`), '')
  if (
    !home ||
    home.homes.some(
      (place) => path.startsWith(place) || path.endsWith(`/${place}`) || path.endsWith(`-${place}`),
    )
  )
    return undefined
  return `${to} lives in ${home.homes.join(', ')}`
}

/** Faults of the way in: another room is entered by its `index.ts`, and only `app.ts` imports the surfaces. */
function entryFault({ from, to }: Import): string | undefined {
  const [own, other] = [roomOf(from), roomOf(to)]
  const isTop = own === undefined ? from !== 'api/core/ctx.ts' : own === 'app'
  if (mountedOnly.includes(other ?? '') && own !== other && from !== 'api/app/app.ts')
    return `only app.ts imports ${other}/`
  if (topFiles.some((file) => to === `api/${file}`) && !isTop)
    return `only main.ts, app/, dev/ and tests import ${to}`
  if (other === undefined || own === other || isTop || !to.startsWith('api/')) return undefined
  const isGlue = other === 'http' && floorOf(from) >= topFloor
  const isSchema = surfaceFile.test(from) && schemaFile.test(to)
  return isGlue || isSchema || isTableSeam(from, to) || sideDoors.includes(to) || to.endsWith('/index.ts')
    ? undefined
    : `enter ${other}/ through its index.ts`
}

/** Tables are written in the column types of db/. `api/app/schema.ts`, above all rooms, collects them. */
function isTableSeam(from: string, to: string): boolean {
  return from.endsWith('/tables.ts') && to.startsWith('api/stores/db/columns')
}

function floorFault({ from, to }: Import): string | undefined {
  const [own, other] = [roomOf(from), roomOf(to)]
  if (!to.startsWith('api/'))
    return to.startsWith('shared/') ? undefined : 'api/ imports api/ and shared/ alone'
  // ctx.ts is the type of what verbs are given; it holds no code.
  if (own === undefined || other === undefined) return undefined
  if (own === other)
    return floorOf(to) > floorOf(from)
      ? `${nameOf(from)} does not know HTTP: it may not import ${nameOf(to)}`
      : undefined
  const isGlue = surfaceFile.test(from) && (other === 'http' || schemaFile.test(to))
  const isEdge = (sideways[own] ?? []).includes(other)
  const isAllowed = floorOf(from) > floorOf(to) || isEdge || isGlue || isTableSeam(from, to)
  return isAllowed
    ? undefined
    : `${own}/ may not import ${other}/ (floors ${floorOf(from)} and ${floorOf(to)})`
}

function nameOf(file: string): string {
  return file.split('/').at(-1) ?? ''
}

function floorOf(file: string): number {
  if (surfaceFile.test(file)) return topFloor
  const floor = floors.indexOf(file.split('/')[1] ?? '')
  return floor === -1 ? floors.length : floor
}

/** Prints every forbidden import below the root. Answers how many there are. */
function checkRooms(root: string, report: (line: string) => void): number {
  const faults = importsBelow(root, ['api', 'web', 'shared']).flatMap((found) => {
    const fault = roomFault(found)
    return fault ? [`${found.from} → ${found.to}: ${fault}`] : []
  })
  for (const fault of faults) report(fault)
  return faults.length
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = checkRooms(process.cwd(), (line) => process.stdout.write(`${line}\n`)) > 0 ? 1 : 0
}
