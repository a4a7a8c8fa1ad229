import { isInNetwork } from './address-rule.ts'

/** Why an API key that is limited to networks cannot be used from this address. Undefined: it can. */
export function networkProblem(cidrs: string[] | null, address: string): string | undefined {
  if (cidrs === null || cidrs.some((cidr) => isInNetwork(cidr, address))) return undefined
  return `This API key cannot be used from the address ${address}. Use it from one of its networks, or ask an admin for another key.`
}
