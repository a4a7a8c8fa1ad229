/** The identity provider that people sign in with. */
export type OidcConfig = {
  issuer: string
  clientId: string
  name: string
  /** Empty: all domains. */
  domains: string[]
  joins: { workspaceId: string; domain: string }[]
}

/** A variable with an invalid value is undefined here; that mistake was already reported. */
type Variables = {
  OIDC_ISSUER: string | undefined
  OIDC_CLIENT_ID: string | undefined
  OIDC_CLIENT_SECRET: string | undefined
  OIDC_NAME: string
  OIDC_DOMAINS: string[] | undefined
  OIDC_JOIN: OidcConfig['joins'] | undefined
  PASSWORD_SIGN_IN: 'on' | 'off'
}

/**
 * Checks the variables against each other and adds what is wrong to `mistakes`. undefined without
 * an identity provider.
 */
export function readOidc(
  env: Variables,
  isSet: (name: keyof Variables) => boolean,
  mistakes: string[],
): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_DOMAINS: domains = [], OIDC_JOIN: joins = [] } = env
  if (issuer === undefined) {
    if (env.PASSWORD_SIGN_IN === 'off' && !isSet('OIDC_ISSUER'))
      mistakes.push(
        'PASSWORD_SIGN_IN=off requires OIDC_ISSUER: without it, only links from an operator could sign people in.',
      )
    return undefined
  }
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const)
    if (!isSet(name)) mistakes.push(`${name} is required with OIDC_ISSUER.`)
  for (const { domain } of joins)
    if (domains.length > 0 && !domains.includes(domain))
      mistakes.push(`OIDC_JOIN names ${domain}, which is not in OIDC_DOMAINS. Add it there, or remove it.`)
  return { issuer, clientId: env.OIDC_CLIENT_ID ?? '', name: env.OIDC_NAME, domains, joins }
}
