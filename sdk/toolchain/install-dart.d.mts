export declare const whyNoDart: () => string | null;
export declare const installDart: () => Promise<readonly string[]>;
