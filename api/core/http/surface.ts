import type { RequestClass } from '../../platform/telemetry/index.ts'
import type { App } from './env.ts'
import type { problemResponse } from './problem-response.ts'

/** Path prefix of the native API, version 1. */
export const nativeBase = '/api/service/v1'

/** Adds one room's routes to a surface. */
export type Mount = (app: App) => void

/** How one surface renders a failure on the addresses that belong to it. */
export interface ErrorSurface {
  owns(path: string): boolean
  render: typeof problemResponse
  /** Its callers bring credentials that are not a person's, which the surface looks at by itself. */
  identifiesItself?: true
  /** The class of its requests, where all are of one. */
  requestClass?: RequestClass
}
