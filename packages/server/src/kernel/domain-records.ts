/** The records of domains in the DNS, with which organizations prove that a domain is theirs; who is asked is not known here. */

export interface DomainRecords {
  /**
   * The values of the TXT records at this name (RFC 1035, section 3.3.14), the parts of each joined; none if there are none. Where the
   * name servers did not say, the reason in words for the caller. Never throws.
   */
  txt(name: string): Promise<readonly string[] | string>
}

/** Of a process in which domains are not proved. */
export const NO_DOMAIN_RECORDS: DomainRecords = { txt: async () => 'this process asks no name servers' }
