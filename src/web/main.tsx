// First, so that the styles of components come after it.
import './app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.tsx'
import { cspNonce } from './lib/base-path.ts'
import { queryClient } from './lib/query-client.ts'
import { startTheme } from './lib/theme.ts'

// When a dialog opens, Radix inserts a style element, which the CSP allows only with this nonce.
setNonce(cspNonce)
startTheme()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')
// A caught error has a fallback on the page already, so a warning is enough.
const onCaughtError = (error: unknown) => console.warn(error)
createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
