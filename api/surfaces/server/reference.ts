import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'

/** The OpenAPI 3.1 document of everything mounted on the native surface. */
export function nativeDocument(app: App) {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Arsenal native API',
      version: '1.0.0',
      license: { name: 'Apache-2.0' },
      description:
        'JSON in and out, snake_case; times RFC 3339 in UTC; sizes in bytes; failures are RFC 9457 problems.',
    },
    servers: [{ url: nativeBase }],
    security: [{ session: [] }, { bearer: [] }],
  })
}

/** Serves the document at `GET /openapi.json`, public. It is built at the first request. */
export function mountReference(app: App): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'service_session',
    description: 'State-changing calls also need the header `X-CSRF-Token` (from `GET /me`).',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  let document: ReturnType<typeof nativeDocument> | undefined
  app.get('/openapi.json', (c) => c.json((document ??= nativeDocument(app))))
}
