import { describe, expect, test } from "bun:test";
import { encoded } from "../../test/support/files/encoded.ts";
import { declaredInHtml, type Label, PRESCAN } from "./encodings.ts";
import { guessEncoding } from "./guess-encoding.ts";

describe("The encoding that an HTML file declares", () => {
  test.each<[html: string, encoding: string | undefined]>([
    ["<meta charset=gbk>", "gbk"],
    ["<META CHARSET='Latin1' />", "windows-1252"],
    [`<meta http-equiv="content-type" content="text/html; charset = 'koi8-r'">`, "koi8-r"],
    [`<meta content="text/html; charset=koi8-r" http-equiv=Content-Type>`, "koi8-r"],
    ["<meta charset=utf-16>", "utf-8"],
    ["<meta charset=UTF-16BE>", "utf-8"],
    ["<meta charset=x-user-defined>", "windows-1252"],
    ["<meta charset=nonsense><meta charset=big5>", "big5"],
    ["<meta charset=gbk><meta charset=big5>", "gbk"],
    [`<?xml version="1.0" encoding="shift_jis"?><html>`, "shift_jis"],
    [`<?xml version="1.0" encoding="shift_jis"?><meta charset=gbk>`, "gbk"],
    ["<p title='<meta charset=gbk>'>", undefined],
    ["<!-- <meta charset=gbk> -->", undefined],
    ["<!-- > <meta charset=gbk> --><meta charset=big5>", "big5"],
    [`<meta content="text/html; charset=gbk">`, undefined],
    [`<meta name=description content="charset=gbk">`, undefined],
    ["<metadata charset=gbk>", undefined],
    ["<meta charset=gb", undefined],
    [`${" ".repeat(PRESCAN)}<meta charset=gbk>`, undefined],
    ["", undefined],
  ])("of %j is %j", (html, encoding) => {
    expect(declaredInHtml(Buffer.from(html))).toBe(encoding as Label);
  });
});

describe("The encoding in which a text looks like words", () => {
  test.each<[encoding: Label, text: string]>([
    ["windows-1252", "Café à Zürich: l'été, où naïve façade, „Größe“ – 20 €"],
    ["windows-1252", "España, año, niño, camión"],
    ["windows-1252", "Ærøskøbing på Fyn"],
    ["windows-1250", "Żółw był mały, a są też łąki i źdźbła"],
    ["windows-1250", "Žluťoučký kůň úpěl ďábelské ódy"],
    ["windows-1251", "Привет, мир"],
    ["windows-1251", "Новости Украины: Київ, їжак, Європа"],
    ["koi8-r", "Привет, мир"],
    ["windows-1253", "Καλημέρα κόσμε, αυτή είναι μια σελίδα"],
    ["windows-1255", "שלום עולם, זה דף בעברית"],
    ["windows-1256", "مرحبا بالعالم هذه صفحة"],
    ["shift_jis", "日本の古いページです。"],
    ["euc-jp", "日本の古いページです。"],
    ["gb18030", "这是一个很旧的中文网页，没有声明编码。"],
    ["big5", "這是一個很舊的中文網頁，沒有宣告編碼。"],
    ["euc-kr", "한국어 오래된 페이지입니다"],
  ])("is %s for %s", (encoding, text) => {
    const bytes = encoded(text, encoding);
    expect(guessEncoding(bytes)).toBe(encoding);
    // Also when it ends within a character.
    expect(guessEncoding(bytes.subarray(0, -1))).toBe(encoding);
  });

  test("is none for what looks like no words", () => {
    expect(guessEncoding(Buffer.from("plain"))).toBeUndefined();
    expect(guessEncoding(Buffer.from([0x81, 0x8d, 0x8f, 0x90, 0x9d]))).toBeUndefined();
    expect(guessEncoding(new Uint8Array())).toBeUndefined();
  });
});
