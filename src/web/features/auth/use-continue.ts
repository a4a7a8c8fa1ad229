import { useNavigate } from '@tanstack/react-router'
import { isOwnPath } from '../../lib/is-own-path.ts'
import { parseSearch } from '../../lib/search-params.ts'

// Session storage keeps the path of this tab while the person is at the identity provider.
const storageKey = 'handrail-continue-to'

export function rememberPath(path: string | undefined): void {
  if (path === undefined) sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, path)
}

export function rememberedPath(): string | undefined {
  const path = sessionStorage.getItem(storageKey)
  return isOwnPath(path) ? path : undefined
}

/** Returns a function that opens the page that a person wanted to see before they signed in. */
export function useContinue() {
  const navigate = useNavigate()
  return async (to: string | undefined) => {
    const [path = '/', search = ''] = (to ?? '/').split('?')
    await navigate({
      to: path,
      search: parseSearch(search) as never,
      replace: true,
    })
  }
}
