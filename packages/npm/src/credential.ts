// This browser's credential. It is kept in IndexedDB, which belongs to one origin, port included: unlike a cookie, no
// other server on the same host receives it, and no page of one can read it.

/** A key of WebCrypto. Its type has a global name in browsers only. */
export type SigningKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** What a paired browser keeps. */
export interface Credential {
  deviceId: string;
  /** The private key. Scripts can sign with it and not read it. */
  key?: SigningKey;
  /** A token in its place, where the browser has no WebCrypto: on a page without TLS that is not on this machine. */
  token?: string;
}

/** Where the credential is kept. */
export interface Vault {
  load(): Promise<Credential | undefined>;
  save(credential: Credential): Promise<void>;
}

const DATABASE = "aqueduct";
const STORE = "credentials";
const CURRENT = "current";

/** The browser's own. */
export const vault: Vault = {
  load: () => transact("readonly", (store) => store.get(CURRENT) as IDBRequest<Credential | undefined>),
  save: async (credential) => {
    await transact("readwrite", (store) => store.put(credential, CURRENT));
  },
};

async function transact<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      // What is written is safe when the transaction is complete, and not before.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("the browser's storage failed"));
    });
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's storage can't be opened"));
  });
}

/** Bytes as the bridge wants them. */
export function base64url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
