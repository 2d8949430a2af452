/** A system account, by number. */
export interface Account {
  readonly uid: number
  readonly gid: number
}
