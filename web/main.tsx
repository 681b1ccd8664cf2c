import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './app/mantine.css'
import './app/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createRouter } from './app/router.tsx'
import { takeOver } from './app/taken-over.ts'
import { fetchFonts, showFonts } from './lib/fonts.ts'
import { createQueryClient } from './lib/query-client.ts'
import { installTrustedTypes } from './lib/trusted-types.ts'

installTrustedTypes()
const queryClient = createQueryClient()
const router = createRouter()
void takeOver(queryClient, router).then((isTaken) => {
  if (!isTaken) showFonts()
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  )
  fetchFonts(router)
})
