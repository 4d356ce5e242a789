import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { whole } from "../../../test/support/files/import-report.ts";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { openDatabase } from "../../database/open.ts";
import { importBookmarks } from "../../transfer/import/import-bookmarks.ts";
import { stageImport } from "../../transfer/stage-bookmarks.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import type { RefusalCode } from "../remarks.ts";

// The values of these tables were read from the files by hand and with `date -u`, not by this program.

const NOW = "2026-11-21T06:40:12.345Z";

/** Line, URL in text form, date, title, and the line of hashtags. */
type Added = readonly [line: number, url: string, createdAt: string, title: string, hashtags: string];

interface RealExport {
  readonly file: string;
  readonly refused: readonly (readonly [line: number, code: RefusalCode])[];
  readonly added: readonly Added[];
}

// biome-ignore format: a row of a table is a line
const exports: readonly RealExport[] = [
  {
    file: "chromium_nested.htm",
    refused: [],
    added: [
      [11, "http://www.jabber.org/", "2016-06-15T17:04:26.000Z", "jabber.org - the original XMPP instant messaging service", ""],
      [13, "https://regexcrossword.com/", "2016-06-15T16:50:12.000Z", "Regex Crossword", ""],
      [14, "http://www.windows93.net/", "2016-06-15T16:50:35.000Z", "WINDOWS93", ""],
      [15, "http://lotrproject.com/blog/2013/02/08/timeline-of-the-elves-in-tolkiens-works/", "2016-06-15T17:03:25.000Z", "Timeline of the Elves in Tolkien’s works | LotrProject Blog", ""],
      [20, "http://www.php-fig.org/psr/", "2016-06-15T17:51:24.000Z", "PHP Standards Recommendations - PHP-FIG", "#Dev/PHP"],
      [21, "http://stackoverflow.com/questions/249664/best-practices-to-test-protected-methods-with-phpunit/2798203#2798203", "2016-06-15T17:51:33.000Z", "php - Best practices to test protected methods with PHPUnit - Stack Overflow", "#Dev/PHP"],
      [25, "https://checkio.org/", "2016-06-15T17:30:20.000Z", "Welcome :: CheckiO", "#Dev/Python"],
      [26, "https://tox.readthedocs.io/en/latest/", "2016-06-15T17:49:26.000Z", "Welcome to the tox automation project — tox 2.3.2 documentation", "#Dev/Python"],
      [27, "http://www.sphinx-doc.org/en/stable/", "2016-06-15T17:49:40.000Z", "Overview — Sphinx 1.4.4 documentation", "#Dev/Python"],
      [29, "https://github.com/lhartikk/ArnoldC", "2016-06-15T17:27:56.000Z", "GitHub - lhartikk/ArnoldC: Arnold Schwarzenegger based programming language", "#Dev"],
      [30, "http://stackoverflow.com/questions/2609857/are-there-any-worse-sorting-algorithms-than-bogosort-a-k-a-monkey-sort", "2016-06-15T17:29:23.000Z", "Are there any worse sorting algorithms than Bogosort (a.k.a Monkey Sort)? - Stack Overflow", "#Dev"],
      [34, "https://openclassrooms.com/", "2016-06-15T17:29:15.000Z", "OpenClassrooms, MOOCs and courses open for all", "#MOOC"],
      [35, "https://www.coursera.org/", "2016-06-15T17:29:40.000Z", "Coursera", "#MOOC"],
      [39, "https://www.kernel.org/", "2016-06-15T17:28:59.000Z", "The Linux Kernel Archives", "#Linux-Unix-OS-Other-stuff"],
      [43, "https://cozy.io/en/", "2016-06-15T17:27:32.000Z", "Cozy - Simple, versatile, yours", "#Self-hosting"],
      [44, "https://framasoft.org/", "2016-06-15T17:27:41.000Z", "Framasoft ~ Page portail du réseau", "#Self-hosting"],
      [45, "https://github.com/shaarli/Shaarli", "2016-06-15T17:48:54.000Z", "GitHub - shaarli/Shaarli: The personal, minimalist, super-fast, database free, bookmarking service - community repo", "#Self-hosting"],
      [46, "https://owncloud.org/", "2016-06-15T17:57:28.000Z", "ownCloud.org", "#Self-hosting"],
    ],
  },
  {
    file: "firefox_nested.htm",
    refused: [[10, "url_scheme"], [11, "url_scheme"], [72, "url_scheme"]],
    added: [
      [12, "http://lotrproject.com/blog/2013/02/08/timeline-of-the-elves-in-tolkiens-works/", "2016-05-19T19:41:58.000Z", "Timeline of the Elves in Tolkien’s works | LotrProject Blog", "#tolkien #lord #rings #elves #timeline #graphics #genealogy #fantasy"],
      [17, "http://www.commitstrip.com/en/2016/02/10/true-story-one-code-review-too-many/", "2016-05-19T19:34:53.000Z", "True story: one code review too many | CommitStrip", "#webcomic #commit #code #review #dev #Comics"],
      [19, "http://xkcd.com/1332/", "2016-05-19T19:43:55.000Z", "xkcd: Slippery Slope", "#xkcd #webcomic #slope #respect #Comics"],
      [21, "http://joshmillard.com/garkov/", "2016-05-19T19:53:05.000Z", "Garkov -- Garfield + Markov chains -- Josh Millard", "#garfield #markov #language #parody #comic #Comics"],
      [23, "http://spikedmath.com/570.html", "2016-05-19T19:55:22.000Z", "Fractal Flowchart - Spiked Math", "#math #fractal #flowchart #chart #Comics"],
      [29, "http://www.lua.org/pil/", "2016-05-19T19:32:59.000Z", "Programming in Lua", "#lua #script #cpp #dev"],
      [31, "http://nautil.us/blog/the-most-important-object-in-computer-graphics-history-is-this-teapot", "2016-05-19T19:36:53.000Z", "The Most Important Object In Computer Graphics History Is This Teapot - Facts So Romantic - Nautilus", "#teapot #418 #computer #graphics #image #sythesis #Dev"],
      [33, "http://hginit.com/", "2016-05-19T19:39:07.000Z", "Hg Init: a Mercurial tutorial by Joel Spolsky", "#hg #mercurial #version #control #scm #python #tutorial #Dev"],
      [35, "http://blog.deadpansincerity.com/2011/05/announcing-pony-mode-a-django-editing-mode-for-emacs/", "2016-05-19T19:40:25.000Z", "Announcing Pony Mode – a Django editing mode for Emacs « Deadpan Sincerity", "#emacs #editor #django #pony #python #mode #Dev"],
      [37, "http://c2.com/cgi/wiki?HeroicProgramming", "2016-05-19T19:49:40.000Z", "Heroic Programming", "#wikiwikiweb #deadline #rush #Dev"],
      [39, "http://www.statisticsdonewrong.com/", "2016-05-19T19:51:41.000Z", "Welcome — Statistics Done Wrong", "#statistics #best-practices #donot #data #analysis #Dev"],
      [43, "https://github.com/kafene/netscape-bookmark-parser", "2016-05-19T19:31:19.000Z", "kafene/netscape-bookmark-parser: a php script (function) to parse netscape format bookmark files", "#github #netscape #parser #Dev/PHP"],
      [45, "http://phpsecurity.readthedocs.io/en/latest/index.html", "2016-05-19T19:33:20.000Z", "Survive The Deep End: PHP Security — Survive The Deep End: PHP Security :: v1.0a1", "#security #best-practices #web #Dev/PHP"],
      [48, "http://www.biostat.jhsph.edu/courses/bio621/misc/Chocolate%20consumption%20cognitive%20function%20and%20nobel%20laurates%20%28NEJM%29.pdf", "2016-05-19T19:51:06.000Z", "Chocolate Consumption, Cognitive Function, and Nobel Laureates - Chocolate consumption cognitive function and nobel laurates (NEJM).pdf", "#chocolate #research #wtf #statistics #nobel #Dev"],
      [53, "http://whistlestudios.com/2016/03/how-to-run-a-meetup-without-giving-up-your-life/", "2016-05-19T19:35:21.000Z", "How to run a meetup without giving up your life", "#meetup #presentation #event #community #FLOSS"],
      [55, "https://github.com/samhocevar/wincompose", "2016-05-19T19:38:31.000Z", "samhocevar/wincompose: Compose Key for Windows", "#github #windows #compose #character #keyboard #input #FLOSS"],
      [57, "http://www.bofh.net/sl_Purity.html", "2016-05-19T19:41:03.000Z", "Sysadmin Purity Test", "#sysadmin #test #unix #linux #network #security #FLOSS"],
      [59, "http://catb.org/~esr/faqs/smart-questions.html", "2016-05-19T19:48:13.000Z", "How To Ask Questions The Smart Way", "#question #faq #bug #report #dev #support #FLOSS"],
      [61, "https://prism-break.org/en/", "2016-05-19T19:53:48.000Z", "Opt out of global data surveillance programs like PRISM, XKeyscore, and Tempora - PRISM Break - PRISM Break", "#prism #break #privacy #self-hosted #web #service #FLOSS"],
      [66, "http://gaming.stackexchange.com/questions/21261/is-it-dangerous-to-go-extreme-pig-riding-in-a-thunderstorm", "2016-05-19T19:46:23.000Z", "minecraft - Is it dangerous to go extreme pig riding in a thunderstorm? - Arqade", "#minecraft #game #indie #pig #wtf #Games"],
      [73, "https://www.mozilla.org/en-US/firefox/central/", "2016-04-10T13:29:16.000Z", "Getting Started", ""],
    ],
  },
  {
    file: "internet_explorer_11_nested.htm",
    refused: [],
    added: [
      [10, "http://lizclimo.tumblr.com/post/132165201759/bonus-comic-for-national-cat-day", "2016-06-18T17:37:05.000Z", "It Never works with cats...", "#Comics"],
      [11, "http://ars.userfriendly.org/cartoons/?id=19971206", "2016-06-18T16:25:19.000Z", "UserFriendly - Web Designer", "#Comics"],
      [17, "http://phpsadness.com/", "2016-06-18T17:06:55.000Z", "PHP Sadness", "#Dev/PHP"],
      [21, "https://github.com/originell/django-kittenstorage", "2016-06-18T16:23:29.000Z", "GitHub - originell-django-kittenstorage Django Storage Engine which returns images of kittens if files could not be found.", "#Dev/Python"],
      [22, "http://jakevdp.github.io/blog/2013/07/10/XKCD-plots-in-matplotlib/", "2016-06-18T17:37:55.000Z", "XKCD Plots in Matplotlib Going the Whole Way", "#Dev/Python"],
      [26, "https://coderwall.com/p/euwpig/a-better-git-log", "2016-06-18T16:30:53.000Z", "A better git log (Example)  Coderwall", "#Dev/SCM"],
      [27, "https://help.github.com/articles/dealing-with-line-endings/#platform-all", "2016-06-18T17:05:37.000Z", "Dealing with line endings - User Documentation", "#Dev/SCM"],
      [28, "http://hginit.com/", "2016-06-18T17:39:44.000Z", "Hg Init a Mercurial tutorial by Joel Spolsky", "#Dev/SCM"],
      [30, "https://www.owasp.org/index.php/Authentication_Cheat_Sheet", "2016-06-18T17:39:49.000Z", "Authentication Cheat Sheet - OWASP", "#Dev"],
      [31, "https://www.clicktorelease.com/code/css3dclouds/#", "2016-06-18T17:17:24.000Z", "CSS 3D Clouds", "#Dev"],
      [32, "http://developerexcuses.com/", "2016-06-18T16:24:43.000Z", "Excuses For Lazy Coders", "#Dev"],
      [33, "http://www.xwray.com/fiftyshades", "2016-06-18T16:23:09.000Z", "Fifty Shades of Grey text generator  Parody erotic fiction generated algorithmically.", "#Dev"],
      [34, "http://c2.com/cgi/wiki?HeroicProgramming", "2016-06-18T16:23:04.000Z", "Heroic Programming", "#Dev"],
      [35, "http://www.brendangregg.com/Specials/mkzombie.c", "2016-06-18T16:24:07.000Z", "http--www.brendangregg.com-Specials-mkzombie.c", "#Dev"],
      [42, "http://go.microsoft.com/fwlink/?LinkId=50893", "2013-03-11T21:39:26.000Z", "IE Add-on site", "#Microsoft-Websites"],
      [43, "http://go.microsoft.com/fwlink/?linkid=44661", "2013-03-11T21:39:26.000Z", "IE site on Microsoft.com", "#Microsoft-Websites"],
      [44, "http://go.microsoft.com/fwlink/?linkid=55424", "2013-03-11T21:39:26.000Z", "Microsoft At Home", "#Microsoft-Websites"],
      [45, "http://go.microsoft.com/fwlink/?linkid=68920", "2013-03-11T21:39:26.000Z", "Microsoft At Work", "#Microsoft-Websites"],
      [46, "http://go.microsoft.com/fwlink/?linkid=140813", "2013-03-11T21:39:26.000Z", "Microsoft Store", "#Microsoft-Websites"],
      [50, "http://www.publiccollectors.org/MSPaintAlbumCovers.htm", "2016-06-18T16:24:27.000Z", "Album Covers Recreated with MS Paint", "#Music"],
      [51, "https://www.youtube.com/watch?v=KExLCJAuTXA", "2016-06-18T17:05:20.000Z", "TEDxZurich - Jojo Mayer - Exploring the distance between 0 and 1 - YouTube", "#Music"],
      [55, "http://go.microsoft.com/fwlink/?LinkId=69172", "2013-03-11T21:39:26.000Z", "Get Windows Live", "#Windows-Live"],
      [56, "http://go.microsoft.com/fwlink/?LinkId=70742", "2013-03-11T21:39:26.000Z", "Windows Live Gallery", "#Windows-Live"],
      [57, "http://go.microsoft.com/fwlink/?LinkId=68925", "2013-03-11T21:39:26.000Z", "Windows Live Mail", "#Windows-Live"],
      [58, "http://go.microsoft.com/fwlink/?LinkId=68927", "2013-03-11T21:39:26.000Z", "Windows Live Spaces", "#Windows-Live"],
      [60, "http://io9.gizmodo.com/learn-to-write-gallifreyan-in-9-simple-steps-506989915", "2016-06-18T17:06:20.000Z", "Learn to write Gallifreyan in 9 simple steps", ""],
      [61, "http://lmgtfy.com/", "2016-06-18T17:36:25.000Z", "Let me google that for you", ""],
    ],
  },
  {
    file: "google_bookmarks_nested.htm",
    refused: [],
    added: [
      [7, "https://www.wordhippo.com/", "2018-01-09T16:34:57.780Z", "WordHippo | Comprehensive Thesaurus for Synonyms and Antonyms", "#Unlabeled"],
      [8, "https://stackoverflow.com/questions/20180072/move-files-into-alphabetically-named-folders", "2018-02-19T19:04:35.550Z", "powershell - Move files into alphabetically named folders - Stack Overflow", "#Unlabeled"],
      [9, "http://www.searchq.com/", "2018-04-17T20:16:25.317Z", "Free Lien Search", "#Unlabeled"],
      [10, "https://www.opennic.org/", "2018-06-20T14:41:03.052Z", "OpenNIC Project", "#Unlabeled"],
      [11, "https://www.imdb.com/title/tt4302938/", "2018-07-24T14:24:22.578Z", "Kubo and the Two Strings (2016) - IMDb", "#Unlabeled"],
      [12, "https://nextace.com/", "2018-04-17T20:16:34.943Z", "Home | NextAce", "#Unlabeled"],
    ],
  },
  {
    file: "delicious.htm",
    refused: [],
    added: [
      [9, "https://support.mozilla.org/en-US/kb/export-firefox-bookmarks-to-backup-or-transfer", "2004-10-20T22:00:00.000Z", "Export Firefox bookmarks to backup or transfer", "#firefox #bookmark #export"],
      [11, "https://msdn.microsoft.com/en-us/library/aa753582%28v=vs.85%29.aspx", "2010-03-17T23:00:00.000Z", "Netscape Bookmark File Format", "#netscape #xml #bookmark #format"],
      [13, "https://sebastian-bergmann.de/archives/881-Testing-Your-Privates.html", "2010-02-08T23:00:00.000Z", "PHP - Testing your privates", "#php #test #private"],
      [14, "http://storml.deviantart.com/art/Mine-Turtle-Instructions-302477240?q=in%3Ascraps%20sort%3Atime%20gallery%3Astorml&qo=1", "2015-04-12T22:00:00.000Z", "Paper craft Mine Turtle", "#mine #turtle #paper #craft #asdf"],
      [16, "http://fontfamily.io/", "2014-09-30T13:59:19.000Z", "fontfamily.io", "#@font-face #os #typography"],
    ],
  },
  {
    file: "scuttle.htm",
    refused: [],
    added: [
      [6, "http://eurovoc.europa.eu/drupal/?q=navigation&cl=en", "2011-02-18T09:21:53.000Z", "EuroVoc Thesaurus", "#dictionary"],
      [7, "http://iate.europa.eu/iatediff/SearchByQueryLoad.do?method=load", "2010-11-25T12:34:12.000Z", "IATE - The EU's multilingual term base", "#dictionary"],
      [8, "http://www.linguee.de/deutsch-englisch/search", "2010-11-25T13:26:29.000Z", "Linguee - Das Web als WÃ¶rterbuch - EN/DE, EN/FR, EN/SP, EN/POR", "#dictionary"],
      [9, "http://unterm.un.org/dgaacs/gts_term.nsf", "2008-05-16T05:25:53.000Z", "UN Terminology in German, English (& French & Spanish)", "#dictionary"],
    ],
  },
  {
    file: "shaarli.htm",
    refused: [[9, "url_invalid"]],
    added: [
      [16, "http://nautil.us/blog/the-most-important-object-in-computer-graphics-history-is-this-teapot", "2016-03-30T20:55:58.000Z", "The Most Important Object In Computer Graphics History Is This Teapot - Facts So Romantic - Nautilus", "#teapot #computer #generation #graphics #3d"],
      [17, "https://sebastian-bergmann.de/archives/881-Testing-Your-Privates.html", "2016-03-30T20:53:44.000Z", "PHP - Testing Your Privates", "#php #class #test #unitary #private"],
      [18, "http://storml.deviantart.com/art/Mine-Turtle-Instructions-302477240?q=in%3Ascraps%20sort%3Atime%20gallery%3Astorml&qo=1", "2016-03-30T20:52:20.000Z", "Mine Turtle Instructions by StormL on DeviantArt", "#mine #turtle #asdf #paper #craft"],
      [20, "https://github.com/shaarli/Shaarli/wiki", "2016-03-30T20:49:33.000Z", "Shaarli: the personal, minimalist, super-fast, no-database delicious clone", "#opensource #software"],
      [26, "http://sebsauvage.net/paste/?8434b27936c09649#bR7XsXhoTiLcqCpQbmOpBi3rq2zzQUC5hBI7ZT1O3x8=", "2016-03-30T20:48:33.000Z", "My secret stuff... - Pastebin.com", "#secretstuff"],
    ],
  },
  {
    file: "netscape_basic.htm",
    refused: [],
    added: [
      [8, "https://private.tld/", "2000-10-10T10:55:36.000Z", "Secret stuff", "#private-secret"],
      [10, "http://public.tld/", "2016-02-25T20:55:48.000Z", "Public stuff", "#public-hello-world"],
    ],
  },
  {
    file: "netscape_nested.htm",
    refused: [],
    added: [
      [8, "http://nest.ed/1", "2016-02-25T20:55:41.000Z", "Nested 1", "#tag1 #tag2 #multi-word"],
      [11, "http://nest.ed/1-1", "2016-02-25T20:55:42.000Z", "Nested 1-1", "#tag1 #tag2 #multi-word #Folder1-the-first-folder-to-encounter"],
      [12, "http://nest.ed/1-2", "2016-02-25T20:55:47.000Z", "Nested 1-2", "#tag3 #tag4 #leaf-multi-word #Folder1-the-first-folder-to-encounter"],
      [17, "http://nest.ed/2-1", "2016-02-02T17:22:22.000Z", "Nested 2-1", "#Folder2"],
      [19, "http://nest.ed/2-2", "2016-01-19T20:02:27.000Z", "Nested 2-2", "#Folder2"],
      [26, "http://nest.ed/3-1", "2016-02-02T17:22:22.000Z", "Nested 3-1", "#tag3 #Folder3/Folder3-1"],
      [27, "http://nest.ed/3-2", "2016-01-19T20:02:27.000Z", "Nested 3-2", "#Folder3/Folder3-1"],
      [30, "http://nest.ed/2", "2016-02-29T08:15:41.000Z", "Nested 2", "#tag4"],
    ],
  },
  {
    file: "netscape_multiline.htm",
    refused: [],
    added: [
      [8, "http://multi.li.ne/1", "2016-02-25T20:55:41.000Z", "Multiline desc", "#multi"],
      [13, "http://multi.li.ne/2", "2016-02-25T20:55:42.000Z", "Multiline desc", "#multi"],
      [21, "http://multi.li.ne/3", "2016-02-25T20:55:47.000Z", "Multiline desc", "#multi"],
    ],
  },
  {
    file: "netscape_extended.htm",
    refused: [],
    added: [
      [9, "https://www.bbc.com/future/article/20190213-the-dramatic-hunt-for-the-fish-pirates-exploiting-our-seas", "2020-06-06T13:50:45.000Z", "The hunt for the fish pirates who exploit the sea - BBC Future", "#story #oceans"],
    ],
  },
  {
    file: "safari_folded.htm",
    refused: [],
    added: [
      [8, "https://github.com/", NOW, "GitHub", ""],
      [15, "https://github.com/shaarli/Shaarli", NOW, "GitHub - shaarli/Shaarli: The personal, minimalist, super-fast, database free, bookmarking service - community repo", "#Github-Shaarli"],
      [21, "https://en.wikipedia.org/wiki/Main_Page", NOW, "Wikipedia, the free encyclopedia", "#Autre-Divers/doc"],
    ],
  },
];

/** Descriptions that are more than one line of hashtags, or none, by file and line. */
const descriptions: Record<string, Record<number, string>> = {
  "firefox_nested.htm": {
    17: "The blog relating the daily life of web agency developers",
    23: "Fractal Flowchart - Spiked Math Comic - A daily math webcomic meant to entertain and humor the geek in you...",
    31: "Let’s play a game. I’ll show you a picture and\u00a0a couple videos—just watch the first five seconds or so—and you figure out&#8230;",
    33: "A friendly introduction to the Mercurial DVCS by Joel Spolsky",
    43: "netscape-bookmark-parser - a php script (function) to parse netscape format bookmark files",
    53: "If running a Meetup feels like a full-time job, you're probably doing it wrong. Volunteering is important and you can make it work with some smart maneuvering.",
    55: "wincompose - Compose Key for Windows",
    61: "Opt out of global data surveillance programs like PRISM, XKeyscore and Tempora. Help make mass surveillance of entire populations uneconomical! We all have a right to privacy, which you can exercise today by encrypting your communications and ending your reliance on proprietary services.",
  },
  "delicious.htm": {
    9: "Export your bookmarks to an HTML file, which can be used as a backup or for importing into another web browser",
    11: "Windows Internet Explorer Favorites file format",
    14: '"Hello!"',
    16: "Compatibility tables for default local fonts.",
  },
  "scuttle.htm": {
    6: "Multilingual Thesaurus of the European Union",
    8: '"Durchsuchen Sie Millionen von SÃ¤tzen, die von anderen Menschen Ã¼bersetzt wurden."',
    9: "Database of the United Nation's German Translation Section. Every record contains at least one German term and a corresponding term usually in English. Most records also contain a French equivalent, some also a Spanish version. Not necessarily official.",
  },
  "shaarli.htm": {
    18: "Schematics: http://www.deviantart.com/users/outgoing?http://www.mediafire.com/?bx19xdd95ed4ap6",
    20: `Welcome to Shaarli! This is your first public bookmark. To edit or delete me, you must first login.

To learn how to use Shaarli, consult the link "Help/documentation" at the bottom of this page.

You use the community supported version of the original Shaarli project, by Sebastien Sauvage.`,
    26: "Shhhh! I'm a private link only YOU can see. You can delete me too.",
  },
  "netscape_basic.htm": { 8: "Super-secret stuff you're not supposed to know about" },
  "netscape_nested.htm": {
    17: "First link of the second section",
    19: "Second link of the second section",
  },
  "netscape_multiline.htm": {
    8: "List:\n- item1\n- item2\n- item3",
    13: "Nested lists:\n- list1\n  - item1.1\n  - item1.2\n  - item1.3\n- list2\n  - item2.1",
    21: "List:\n- item1\n- item2\n\nParagraph number one.\n\nParagraph\nnumber\ntwo.",
  },
  "netscape_extended.htm": {
    9: `For 10 years, a rogue fishing vessel and its crew plundered the world’s oceans, escaping repeated attempts of capture. Then a dramatic pursuit finally netted the one that got away.
http://localhost.localdomain:8083/Shaarli/cache/thumb/290ccda0deea6083ee613d358446103e/c975558ad43acdbd982ffafd8c01163d6c9ec5ca125901.jpg (http://localhost.localdomain:8083/Shaarli/?JVvqCA)`,
  },
};

describe.each([...exports])("$file", ({ file, refused, added }) => {
  test("its bookmarks are imported with their URLs, dates, titles, descriptions and hashtags", async () => {
    using folder = temporaryFolder();
    const database = await openDatabase(`sqlite:${folder.file("test.db")}`);
    const report = whole(await importBookmarks(database, await staged(file), "skip"));
    const rows = await database.read<StoredRow>`
      select line, url, bookmarks.created_at as created_at, bookmarks.title as title, description
      from import_rows join bookmarks on id = record_id order by position`;
    await database.close();

    expect(rows.map(plain)).toEqual(
      added.map(([line, url, createdAt, title, hashtags]) => {
        const text = descriptions[file]?.[line];
        const description = [text, hashtags].filter(Boolean).join("\n");
        return { line, url, created_at: createdAt, title, description };
      }),
    );
    expect(report).toMatchObject({ added: added.length, updated: 0, skipped: 0, refused: refused.length });
    expect(report.refusals).toMatchObject(refused.map(([line, code]) => ({ line, code })));
  });
});

test("an empty file is not an export", async () => {
  await expect(staged("empty.htm")).rejects.toThrow(UnreadableFile);
});

interface StoredRow {
  readonly line: number;
  readonly url: string;
  readonly created_at: number;
  readonly title: string;
  readonly description: string;
}

function plain(row: StoredRow) {
  return { ...row, created_at: new Date(row.created_at).toISOString() };
}

async function staged(file: string) {
  return stageImport(file, read(file), { now: new Date(NOW), tags: true });
}

function read(file: string): Uint8Array {
  return readFileSync(join(import.meta.dir, "../../../test/data/bookmark-exports", file));
}
