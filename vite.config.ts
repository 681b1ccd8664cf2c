import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))

/** What `npm run dev` leaves to the API: everything that is no page. */
const apiPaths = [
  '^/(api|avatars|oauth|healthz|readyz|chunk-cas|viewer-api)(/|$)',
  '^/lfs/',
  '^/.+\\.git/',
  '^/.+/(resolve|raw)/',
]

export default defineConfig({
  root: `${root}web`,
  plugins: [react()],
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: `${root}dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy has no data: scripts or styles; every asset is a file of its own.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  // Module workers load their grammars lazily; the default format cannot be split.
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: 'http://127.0.0.1:8080' }])),
  },
  test: {
    projects: [
      {
        test: {
          name: 'api',
          root,
          include: ['api/**/*.test.ts', 'shared/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      { test: { name: 'web', root, include: ['web/**/*.test.{ts,tsx}'] } },
    ],
  },
})
