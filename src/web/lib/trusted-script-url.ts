/** Trusted Types requires a policy for worker URLs; this one allows only same-origin files. */
export function trustedScriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicyFactory }
  scriptPolicy ??= trustedTypes?.createPolicy('handrail-worker', {
    createScriptURL(scriptUrl) {
      if (new URL(scriptUrl, location.href).origin !== location.origin)
        throw new TypeError('The script is not from this site.')
      return scriptUrl
    },
  })
  return (scriptPolicy?.createScriptURL(url) ?? url) as string
}

type ScriptPolicy = { createScriptURL: (url: string) => unknown }
type TrustedTypePolicyFactory = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => ScriptPolicy
}
let scriptPolicy: ScriptPolicy | undefined
