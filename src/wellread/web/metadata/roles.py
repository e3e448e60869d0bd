"""The words that tell who did what for a page, and what a day means, in many languages.

CLDR has no such words; this table is made by hand, after news sites and blogs of each language. A row holds, in this
order: prepositions that lead to a name (`by`), words that name the author or the writing (`author`), words for other
work (photo, translation, source), words for a revision, words for publication, and what joins two names.

A preposition counts where the page is in its language, before a full name. A word for the author counts everywhere.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

Role = Literal["by", "author", "other", "updated", "published"]

_ROLES: tuple[Role, ...] = ("by", "author", "other", "updated", "published")
MAX_LABEL_WORDS = 4
MAX_LABEL_CHARS = 40

_TABLE = """
en; by; by,written by,author,authors,words by,story by,text by,article by,reported by,posted by,words,text; photo,photos,photo by,photos by,photograph by,photographs by,photography by,photographer,photo credit,image,images by,image credit,picture,illustration,illustration by,illustrated by,translated by,translation,translator,edited by,editor,source,credit,video,video by,graphic; updated,updated on,last updated,last updated on,last modified,modified,revised,edited,update,last reviewed; published,published on,first published,first published on,posted,posted on,publication date,date published,date,created,originally published; and,&
de; von; autor,autorin,autoren,autor/in,autor*in,autor:in,verfasser,verfasserin,verfasst von,geschrieben von,ein artikel von,ein beitrag von,beitrag von,artikel von,text,text von,redaktion,bericht von,bericht; foto,fotos,bild,bilder,foto von,fotos von,bilder von,fotograf,fotografin,bildquelle,quelle,übersetzung,übersetzt von,aus dem englischen von,redigiert von,illustration,grafik,video; aktualisiert,aktualisiert am,aktualisierung,zuletzt aktualisiert,zuletzt aktualisiert am,stand,geändert,geändert am,zuletzt geändert,letzte aktualisierung,letzte änderung,update,überarbeitet; veröffentlicht,veröffentlicht am,erstveröffentlichung,erstveröffentlicht,publiziert,publiziert am,erschienen,erschienen am,datum,erstellt,erstellt am,online seit,publikation,gepostet am; und,u.
fr; par; posté par,auteur,auteure,autrice,auteurs,écrit par,rédigé par,publié par,un article de,article de,texte,texte de,texte par,propos recueillis par,signé,rédaction,rédacteur,rédactrice; photo,photos,photo de,photos de,photo par,photos par,photographe,photographie,image,crédit,crédits,crédit photo,illustration,traduit par,traduction,traduit de l'anglais par,source,vidéo; mis à jour,mis à jour le,mise à jour,mise à jour le,modifié,modifié le,actualisé le,dernière mise à jour,dernière mise à jour le,maj,màj; publié,publié le,publiée le,paru le,posté le,mis en ligne le,date de publication,date,créé le,première publication; et
es; por; autor,autora,autores,escrito por,redactado por,publicado por,un artículo de,texto,texto de,texto por,redacción,redactor,redactora,firma; foto,fotos,foto de,fotos de,fotografía,fotografías,fotografía de,fotografías de,fotógrafo,imagen,crédito,ilustración,traducido por,traducción,traducción de,fuente,vídeo,video,edición; actualizado,actualizado el,actualizada,última actualización,modificado,modificado el,última modificación; publicado,publicado el,publicada el,fecha,fecha de publicación,creado,creado el; y,e
pt; por; autor,autora,autores,escrito por,redigido por,publicado por,texto,texto de,texto por,reportagem,redação,redacção,um artigo de; foto,fotos,foto de,fotos de,fotografia,fotógrafo,imagem,crédito,créditos,ilustração,traduzido por,tradução,tradução de,fonte,vídeo,edição; atualizado,atualizado em,actualizado,actualizado em,atualizada em,última atualização,modificado em,editado em; publicado,publicado em,publicado a,publicada em,data,data de publicação,criado em,postado em; e
it; di; autore,autrice,autori,scritto da,a cura di,redatto da,articolo di,un articolo di,pubblicato da,testo,testo di,testi di,firma,redazione; foto,foto di,fotografia,fotografie di,immagine,credits,crediti,illustrazione,illustrazioni di,tradotto da,traduzione,traduzione di,fonte,video; aggiornato,aggiornato il,aggiornato al,ultimo aggiornamento,ultima modifica,modificato il; pubblicato,pubblicato il,pubblicata il,data,data di pubblicazione,postato il,creato il; e,ed
nl; door; auteur,auteurs,geschreven door,een artikel van,artikel van,tekst,tekst van,tekst door,gepost door,redactie; foto,foto's,foto van,fotograaf,fotografie,beeld,afbeelding,illustratie,vertaald door,vertaling,bron,video; bijgewerkt,bijgewerkt op,laatst bijgewerkt,laatst bijgewerkt op,laatst gewijzigd,gewijzigd,gewijzigd op,laatste update,update,aangepast; gepubliceerd,gepubliceerd op,geplaatst,geplaatst op,datum,publicatiedatum,verschenen op; en
sv; av; författare,skribent,skriven av,text,text av,text och foto,artikel av,reporter,skrivet av,publicerad av; foto,foto av,fotograf,bild,illustration,översättning,översatt av,källa,video,redaktör; uppdaterad,uppdaterad den,senast uppdaterad,uppdaterat,ändrad,senast ändrad; publicerad,publicerad den,publicerat,publicerades,datum,skapad; och
da; af; forfatter,skrevet af,tekst,tekst af,journalist,artikel af,skribent; foto,foto af,fotos,fotograf,billede,illustration,oversættelse,oversat af,kilde,video,redaktør; opdateret,opdateret d,opdateret den,senest opdateret,sidst opdateret,redigeret,ændret; publiceret,publiceret d,publiceret den,udgivet,udgivet d,offentliggjort,dato; og
nb; av; forfatter,skrevet av,tekst,tekst av,journalist,artikkel av,skribent,av journalist; foto,foto av,bilder,fotograf,bilde,illustrasjon,oversettelse,oversatt av,kilde,video,redaktør; oppdatert,oppdatert den,sist oppdatert,endret,sist endret; publisert,publisert den,utgitt,lagt ut,dato; og
fi; ; kirjoittaja,kirjoittanut,kirjoittanut on,teksti,toimittaja,tekijä,teksti ja kuvat; kuva,kuvat,valokuva,valokuvaaja,kuvaaja,kuvitus,käännös,kääntäjä,suomentanut,lähde,video; päivitetty,viimeksi päivitetty,muokattu,muutettu; julkaistu,julkaistiin,päivämäärä,luotu; ja
et; ; autor,autorid,kirjutas,kirjutanud,tekst,toimetas,ajakirjanik; foto,fotod,pilt,fotograaf,illustratsioon,tõlkinud,tõlkis,tõlge,allikas,video; uuendatud,muudetud,viimati uuendatud,täiendatud; avaldatud,avaldas,ilmunud,postitatud,kuupäev; ja,ning
lv; ; autors,autore,autori,teksts,rakstīja,sagatavoja,raksta autors,raksta autore; foto,attēls,fotogrāfs,ilustrācija,tulkoja,tulkojums,tulkotājs,avots,video; atjaunots,atjaunināts,labots,papildināts; publicēts,publicēta,publicēšanas datums,datums,ievietots; un
lt; ; autorius,autorė,autoriai,parašė,parengė,tekstas,tekstą parengė; nuotr,nuotrauka,nuotraukos,foto,fotografas,iliustracija,vertė,išvertė,vertėja,vertėjas,šaltinis,video; atnaujinta,pakeista,papildyta; paskelbta,publikuota,publikuojama,data,paskelbė,įkelta; ir
pl; przez; autor,autorka,autorzy,napisał,napisała,tekst,opracował,opracowała,opracowanie,opublikował,opublikowała,autor tekstu,redaktor,dodał,dodała; fot,foto,zdjęcie,zdjęcia,fotograf,fotografia,ilustracja,grafika,tłumaczenie,tłum,przekład,przetłumaczył,przetłumaczyła,źródło,wideo; aktualizacja,zaktualizowano,ostatnia aktualizacja,zmodyfikowano,data aktualizacji; opublikowano,opublikowany,publikacja,data publikacji,data,dodano,data dodania,utworzono; i,oraz
cs; ; autor,autorka,autoři,napsal,napsala,text,píše,publikoval,publikovala,připravil,připravila,redaktor; foto,fotografie,fotograf,snímek,obrázek,ilustrace,překlad,přeložil,přeložila,zdroj,video; aktualizováno,aktualizace,upraveno,změněno,poslední aktualizace; publikováno,zveřejněno,vydáno,datum,vytvořeno,datum publikace; a
sk; ; autor,autorka,autori,napísal,napísala,text,píše,pripravil,pripravila,publikoval,redaktor; foto,fotografie,fotograf,snímka,obrázok,ilustrácia,preklad,preložil,preložila,zdroj,video; aktualizované,aktualizácia,upravené,zmenené; publikované,zverejnené,vydané,dátum,uverejnené; a
sl; ; avtor,avtorica,avtorji,avtor članka,piše,napisal,napisala,besedilo,tekst,pripravil,pripravila; foto,fotografija,fotograf,slika,ilustracija,prevod,prevedel,prevedla,vir,video; posodobljeno,zadnja posodobitev,spremenjeno; objavljeno,objava,datum,datum objave; in
hr; ; autor,autorica,autori,piše,napisao,napisala,tekst,priredio,priredila,objavio,objavila,novinar,novinarka; foto,fotografija,fotograf,slika,ilustracija,prijevod,preveo,prevela,izvor,video; ažurirano,ažuriran,zadnja izmjena,izmijenjeno,zadnje ažuriranje; objavljeno,objava,datum,datum objave; i
sr; ; аутор,ауторка,аутори,пише,написао,написала,текст,новинар,новинарка,приредио,autor,autorka,piše,napisao,napisala,tekst,novinar,novinarka,priredio; фото,фотографија,фотограф,слика,илустрација,превод,превео,превела,извор,видео,foto,fotografija,fotograf,slika,ilustracija,prevod,preveo,prevela,izvor,video; ажурирано,измењено,последња измена,ažurirano,izmenjeno,poslednja izmena; објављено,датум,датум објаве,објава,objavljeno,datum,datum objave; и,i
bs; ; autor,autorica,piše,napisao,napisala,tekst; foto,fotografija,prevod,preveo,izvor; ažurirano,izmijenjeno; objavljeno,datum; i
bg; от; автор,авторка,автори,написа,написано от,текст,материал на,статия от,публикувано от,публикувал; снимка,снимки,фото,фотограф,илюстрация,превод,преведе,преводач,източник,видео,редактор; обновено,обновена,обновено на,актуализирано,актуализирано на,последна промяна,редактирано,последна актуализация; публикувано,публикувано на,публикувана на,публикация,дата,дата на публикуване,добавено; и
mk; од; автор,авторка,автори,пишува,напиша,текст,новинар,подготви; фото,фотографија,фотограф,слика,илустрација,превод,преведе,извор,видео; ажурирано,изменето,последна измена; објавено,објавено на,датум; и
uk; від; автор,авторка,автори,текст,написав,написала,автор статті,підготував,підготувала,журналіст,журналістка,опублікував,опублікувала; фото,світлина,фотограф,зображення,ілюстрація,переклад,переклав,переклала,перекладач,джерело,відео,редактор,редакторка; оновлено,змінено,останнє оновлення,дата оновлення; опубліковано,дата публікації,дата,додано,публікація,створено; та,і,й
ru; ; автор,авторы,автор статьи,автор текста,автор материала,текст,написал,написала,подготовил,подготовила,опубликовал,опубликовала,корреспондент,журналист,беседовал,беседовала; фото,фотограф,фотография,изображение,иллюстрация,иллюстрации,перевод,перевёл,перевел,перевела,переводчик,источник,видео,редактор; обновлено,изменено,последнее обновление,дата обновления,обновлён,отредактировано,обновление; опубликовано,дата публикации,дата,добавлено,публикация,размещено,создано,опубликована; и
be; ; аўтар,аўтарка,аўтары,тэкст,напісаў,напісала,падрыхтаваў,падрыхтавала; фота,здымак,фатограф,ілюстрацыя,пераклад,пераклаў,пераклала,крыніца,відэа,рэдактар; абноўлена,зменена,апошняе абнаўленне; апублікавана,дата публікацыі,дата,дададзена; і,ды
ro; de; autor,autoare,autori,scris de,publicat de,text,text de,redactat de,un articol de,articol de,de către,redactor; foto,fotografie,fotografii,fotograf,imagine,credit,credit foto,sursa foto,ilustrație,tradus de,traducere,traducerea,sursa,video; actualizat,actualizat la,ultima actualizare,modificat,modificat la,actualizare; publicat,publicat la,publicat pe,publicat în,data,data publicării,postat pe,postat la; și,si
hu; ; írta,szerző,szerzők,szerkesztette,szöveg,készítette,közzétette,szerkesztő; fotó,fotók,fénykép,kép,fényképezte,illusztráció,fordította,fordítás,fordító,forrás,videó; frissítve,módosítva,utolsó frissítés,utoljára frissítve,utolsó módosítás; megjelent,megjelenés,közzétéve,publikálva,dátum,létrehozva,feltöltve,megjelenés dátuma; és
el; του,της,από,από τον,από την; συντάκτης,συντάκτρια,συγγραφέας,γράφει ο,γράφει η,γράφει,γράφουν οι,γράφουν,κείμενο,επιμέλεια,συντάκτες,δημοσιεύτηκε από,ρεπορτάζ,αρθρογράφος; φωτογραφία,φωτογραφίες,φωτο,φωτό,φωτογράφος,εικόνα,εικονογράφηση,μετάφραση,μεταφραστής,μτφρ,πηγή,βίντεο; ενημερώθηκε,τελευταία ενημέρωση,ενημέρωση,τροποποιήθηκε,ανανεώθηκε; δημοσιεύτηκε,δημοσιεύθηκε,δημοσίευση,ημερομηνία,ημερομηνία δημοσίευσης,αναρτήθηκε; και
tr; ; yazan,yazar,yazarı,yazarlar,muhabir,haber,metin,kaleme alan,hazırlayan,ekleyen; fotoğraf,fotoğraflar,foto,fotoğrafçı,görsel,çizim,illüstrasyon,çeviri,çeviren,çevirmen,kaynak,video,editör; güncelleme,güncelleme tarihi,güncellendi,güncellenme,güncellenme tarihi,son güncelleme,son güncellenme; yayınlanma,yayınlanma tarihi,yayın tarihi,yayınlandı,yayımlanma,yayımlanma tarihi,yayımlandı,giriş,giriş tarihi,tarih,eklenme,eklenme tarihi,oluşturulma; ve
az; ; müəllif,müəllifi,yazdı,yazan,mətn,hazırladı,hazırlayan; foto,fotolar,fotoqraf,şəkil,tərcümə,tərcümə etdi,tərcüməçi,mənbə,video,redaktor; yeniləndi,yenilənib,dəyişdirilib; dərc olunub,dərc edilib,nəşr olunub,tarix,dərc tarixi,yayımlanıb; və
sq; nga; autor,autori,autore,shkruar nga,shkruan,shkroi,teksti,gazetar; foto,fotografi,fotograf,ilustrim,përktheu,përkthyer nga,përkthimi,burimi,video; përditësuar,përditësuar më,përditësimi i fundit,ndryshuar; publikuar,publikuar më,botuar,botuar më,data,postuar më; dhe,e
is; eftir; höfundur,höfundar,skrifað af,skrifar,texti,blaðamaður; mynd,myndir,ljósmynd,ljósmyndari,teikning,þýðing,þýddi,þýðandi,heimild,myndband; uppfært,síðast uppfært,breytt; birt,birtist,útgefið,dagsetning; og
fo; eftir; høvundur,skrivað hevur,tekstur; mynd,myndir,fotomynd,týðing,kelda; dagført; útgivið,lagt út; og
ca; per; autor,autora,autors,escrit per,redactat per,publicat per,text,text de,redacció,un article de; foto,fotos,fotografia,fotògraf,imatge,il·lustració,traduït per,traducció,traducció de,font,vídeo; actualitzat,actualitzat el,actualització,última actualització,modificat el; publicat,publicat el,data,data de publicació,creat el; i
eu; ; egilea,egileak,idatzia,idazlea,idatzi du,testua,erredaktorea,kazetaria; argazkia,argazkiak,argazkilaria,irudia,ilustrazioa,itzulpena,itzultzailea,itzulia,iturria,bideoa; eguneratua,eguneratuta,azken eguneratzea,aldatua; argitaratua,argitaratuta,argitaratze data,data; eta
gl; por; autor,autora,autores,escrito por,redactado por,publicado por,texto,texto de,redacción; foto,fotos,fotografía,fotógrafo,imaxe,ilustración,traducido por,tradución,fonte,vídeo; actualizado,actualizado o,última actualización,modificado o; publicado,publicado o,data,data de publicación; e
ga; le; údar,údair,scríofa ag,scríobhnóir,téacs,iriseoir; grianghraf,grianghraif,grianghrafadóir,íomhá,léaráid,aistrithe ag,aistriúchán,aistritheoir,foinse,físeán; nuashonraithe,nuashonraithe ar,athraithe; foilsithe,foilsithe ar,dáta; agus
cy; gan; awdur,awduron,ysgrifennwyd gan,testun,gohebydd; llun,lluniau,ffotograffydd,darlun,cyfieithwyd gan,cyfieithiad,cyfieithydd,ffynhonnell,fideo; diweddarwyd,diweddarwyd ar,wedi'i ddiweddaru,diweddariad; cyhoeddwyd,cyhoeddwyd ar,dyddiad; a,ac
af; deur; skrywer,outeur,outeurs,geskryf deur,teks,teks deur,artikel deur,joernalis; foto,foto's,fotograaf,beeld,illustrasie,vertaal deur,vertaling,bron,video; opgedateer,laas opgedateer,bygewerk,gewysig; gepubliseer,gepubliseer op,geplaas,geplaas op,datum; en
id; oleh; oleh,penulis,ditulis oleh,reporter,teks,pewarta,jurnalis,laporan; foto,foto oleh,fotografer,gambar,ilustrasi,penerjemah,diterjemahkan oleh,terjemahan,sumber,video,editor,penyunting; diperbarui,diperbarui pada,terakhir diperbarui,diubah,update,pembaruan; diterbitkan,diterbitkan pada,dipublikasikan,dipublikasikan pada,tayang,terbit,tanggal,diposting,diposting pada; dan
ms; oleh; oleh,penulis,ditulis oleh,wartawan,teks,disiarkan oleh; foto,gambar,gambar oleh,jurugambar,ilustrasi,penterjemah,diterjemah oleh,terjemahan,sumber,video,penyunting; dikemas kini,dikemaskini,dikemas kini pada,kemas kini; diterbitkan,diterbitkan pada,disiarkan,disiarkan pada,tarikh; dan
fil; ni,nina; isinulat ni,sinulat ni,may-akda,awtor,ulat ni,teksto,akda ni; larawan,larawan ni,kuha ni,litrato,isinalin ni,salin ni,pinagmulan,video; na-update,na-update noong,huling na-update,binago; inilathala,inilathala noong,nailathala,nailathala noong,petsa; at
sw; na; mwandishi,waandishi,imeandikwa na,umeandikwa na,maandishi; picha,picha na,mpiga picha,mchoro,imetafsiriwa na,mtafsiri,tafsiri,chanzo,video,mhariri; imesasishwa,ilisasishwa,imehaririwa; imechapishwa,ilichapishwa,imechapishwa tarehe,tarehe; na
vi; bởi; tác giả,bởi,viết bởi,người viết,bài,bài viết,bài viết của,bài và ảnh,người đăng,đăng bởi,theo,thực hiện,nội dung; ảnh,hình ảnh,nhiếp ảnh,nhiếp ảnh gia,minh họa,dịch,người dịch,dịch giả,biên dịch,nguồn,video,biên tập; cập nhật,cập nhật ngày,cập nhật lúc,cập nhật lần cuối,sửa đổi; đăng,đăng ngày,đăng lúc,xuất bản,xuất bản ngày,ngày đăng,ngày,ngày xuất bản; và
th; ; โดย,ผู้เขียน,เขียนโดย,เรื่อง,เรื่องโดย,ผู้แต่ง,ผู้สื่อข่าว,นักเขียน,โพสต์โดย; ภาพ,ภาพโดย,ช่างภาพ,ถ่ายภาพ,ภาพประกอบ,แปล,แปลโดย,ผู้แปล,แหล่งที่มา,ที่มา,เครดิต,วิดีโอ,บรรณาธิการ; ปรับปรุง,อัปเดต,อัพเดต,แก้ไข,แก้ไขล่าสุด,อัปเดตล่าสุด,ปรับปรุงล่าสุด; เผยแพร่,เผยแพร่เมื่อ,เผยแพร่วันที่,วันที่,วันที่เผยแพร่,โพสต์เมื่อ,ตีพิมพ์; และ
ko; ; 글,작성자,글쓴이,저자,기자,취재,필자,지은이,작가,by; 사진,사진기자,그림,번역,옮긴이,출처,자료,영상,편집,편집자,제공; 수정,수정일,최종수정,최종 수정,업데이트,갱신,최종업데이트; 입력,등록,등록일,작성일,게시일,발행일,게시,승인,기사입력,날짜,발행,작성; 과,와,및
ja; ; 文,著者,執筆者,執筆,筆者,ライター,作者,投稿者,記者,取材・文,文責,作成者,記事,聞き手,取材; 写真,撮影,写真提供,カメラマン,イラスト,画像,翻訳,訳,訳者,出典,提供,編集,編集者,監修,動画; 更新,更新日,最終更新,最終更新日,更新日時,最終更新日時,改訂; 公開,公開日,公開日時,投稿,投稿日,掲載,掲載日,配信,発行日,日付,作成日,初出,投稿日時,配信日; と,、
zh; ; 作者,文,撰文,记者,記者,本报记者,本報記者,撰稿,撰稿人,本报记者,本報記者,通讯员,笔者,文字,采写,采访,發布者,发布者,撰文者,特約記者,特约记者,作者名; 摄影,攝影,图片,圖片,图,圖,摄,攝,翻译,翻譯,译者,譯者,译,譯,编译,編譯,来源,來源,编辑,編輯,责任编辑,責任編輯,责编,責編,校对,校對,审核,審核,出处,出處,插图,插圖,视频,影片,责任,監製,监制,消息来源,文章来源,稿源,核稿編輯,核稿; 更新,更新于,更新於,更新时间,更新時間,最后更新,最後更新,最后更新于,修改于,修改時間,修改时间,最后修改; 发布,發布,發佈,发布于,發布於,發佈於,发布时间,發布時間,發佈時間,发表于,發表於,发表时间,發表時間,发布日期,發布日期,發佈日期,日期,时间,時間,刊登,上架时间,发表日期,刊出; 和,与,與,、
ar; ; بقلم,كتب,كتبت,كتبه,كتبها,الكاتب,الكاتبة,المؤلف,المؤلفة,تأليف,إعداد,تحرير,نص,المحرر,تقرير,الصحفي,نشر بواسطة,بواسطة; تصوير,صورة,الصورة,صور,عدسة,مصور,المصور,رسم,ترجمة,المترجم,ترجمها,المصدر,مصدر,فيديو; تحديث,آخر تحديث,تم التحديث,تم التحديث في,حدث في,عدل في,آخر تعديل; نشر,نشر في,نشرت في,نُشر في,نشر بتاريخ,تاريخ النشر,تم النشر,تم النشر في,تاريخ,التاريخ; و
fa; ; نویسنده,نوشته,نوشتهٔ,نوشته‌ی,به قلم,به‌قلم,نگارنده,نگارش,خبرنگار,گزارش,گزارشگر,متن,نویسندگان,توسط; عکس,عکاس,تصویر,تصویرساز,ترجمه,مترجم,ترجمهٔ,برگردان,منبع,ویدیو,ویراستار; به‌روزرسانی,به روزرسانی,به روز شده,به‌روز شده,بروزرسانی,آخرین به‌روزرسانی,ویرایش,آخرین ویرایش; منتشر شده,منتشر شده در,منتشرشده,انتشار,تاریخ انتشار,تاریخ,انتشار در; و
he; ; מאת,כתב,כתבה,כותב,כותבת,המחבר,מחבר,מחברת,טקסט,הכותב,הכותבת,כתב וצילם,נכתב על ידי,נכתב ע"י; צילום,צילומים,תמונה,תמונות,צלם,איור,תרגום,תרגם,תרגמה,מתרגם,מקור,וידאו,עריכה,עורך; עודכן,עודכן ב,עודכן בתאריך,עדכון,עדכון אחרון,עודכן לאחרונה; פורסם,פורסם ב,פורסם בתאריך,תאריך,תאריך פרסום,פרסום,הועלה; ו
hi; ; लेखक,लेखिका,द्वारा,लेखन,लिखित,रिपोर्ट,संवाददाता,रिपोर्टर,लेखकः,प्रस्तुति,written by,by; फोटो,फ़ोटो,तस्वीर,तस्वीरें,छायाकार,छायाचित्र,चित्र,अनुवाद,अनुवादक,स्रोत,वीडियो,संपादक,सम्पादक; अपडेट,अपडेटेड,अद्यतन,अंतिम अपडेट,संशोधित,अपडेट किया गया; प्रकाशित,प्रकाशन,प्रकाशन तिथि,तारीख,दिनांक,प्रकाशित तिथि,पब्लिश,पब्लिश्ड; और,एवं
mr; ; लेखक,लेखिका,लेखन,बातमीदार,प्रतिनिधी,वार्ताहर; छायाचित्र,फोटो,छायाचित्रकार,चित्र,अनुवाद,अनुवादक,स्रोत,व्हिडिओ,संपादक; अपडेट,अद्ययावत,अद्यतनित,सुधारित; प्रकाशित,प्रकाशन,प्रकाशन दिनांक,दिनांक,तारीख; आणि
ne; ; लेखक,लेखिका,लेखन,संवाददाता,द्वारा; तस्बिर,फोटो,चित्र,अनुवाद,अनुवादक,स्रोत,भिडियो,सम्पादक; अपडेट,अद्यावधिक,अद्यावधि; प्रकाशित,प्रकाशित मिति,प्रकाशन,मिति; र
bn; ; লেখক,লেখিকা,লিখেছেন,লেখা,প্রতিবেদক,প্রতিবেদন,রচনা,নিজস্ব প্রতিবেদক; ছবি,আলোকচিত্র,আলোকচিত্রী,চিত্র,অনুবাদ,অনুবাদক,ভাষান্তর,সূত্র,উৎস,ভিডিও,সম্পাদক; আপডেট,হালনাগাদ,সর্বশেষ আপডেট,পরিমার্জিত; প্রকাশ,প্রকাশিত,প্রকাশের তারিখ,প্রকাশের সময়,তারিখ,প্রকাশকাল; ও,এবং
ta; ; எழுதியவர்,ஆசிரியர்,எழுத்தாளர்,கட்டுரையாளர்,எழுதியது,செய்தியாளர்; படம்,படங்கள்,புகைப்படம்,புகைப்படக்காரர்,ஓவியம்,மொழிபெயர்ப்பு,மொழிபெயர்ப்பாளர்,தமிழில்,ஆதாரம்,மூலம்,காணொளி; புதுப்பிக்கப்பட்டது,மாற்றப்பட்டது,கடைசியாக புதுப்பிக்கப்பட்டது; வெளியிடப்பட்டது,பதிவு,தேதி,வெளியீடு,பதிவிடப்பட்டது; மற்றும்
te; ; రచయిత,రచయిత్రి,రచన,రాసినవారు,వ్రాసినవారు,విలేకరి; ఫోటో,ఫొటో,చిత్రం,ఫోటోగ్రాఫర్,అనువాదం,అనువాదకుడు,మూలం,వీడియో,సంపాదకుడు; నవీకరించబడింది,అప్‌డేట్,సవరించబడింది; ప్రచురణ,ప్రచురించబడింది,ప్రచురితం,తేదీ; మరియు
kn; ; ಲೇಖಕ,ಲೇಖಕರು,ಲೇಖಕಿ,ಬರೆದವರು,ಬರಹ; ಚಿತ್ರ,ಫೋಟೋ,ಅನುವಾದ,ಅನುವಾದಕ,ಮೂಲ; ನವೀಕರಿಸಲಾಗಿದೆ,ಅಪ್ಡೇಟ್; ಪ್ರಕಟಣೆ,ಪ್ರಕಟಿಸಲಾಗಿದೆ,ದಿನಾಂಕ; ಮತ್ತು
ml; ; എഴുത്തുകാരൻ,എഴുതിയത്,ലേഖകൻ,ലേഖിക,രചയിതാവ്,രചന; ചിത്രം,ഫോട്ടോ,വിവർത്തനം,പരിഭാഷ,ഉറവിടം; പുതുക്കിയത്,അപ്ഡേറ്റ്; പ്രസിദ്ധീകരിച്ചത്,തീയതി; ഒപ്പം
gu; ; લેખક,લેખિકા,લખનાર,દ્વારા; ફોટો,તસવીર,છબી,અનુવાદ,અનુવાદક,સ્ત્રોત; અપડેટ,સુધારેલ; પ્રકાશિત,તારીખ; અને
pa; ; ਲੇਖਕ,ਲੇਖਿਕਾ,ਲਿਖਤ,ਦੁਆਰਾ; ਫੋਟੋ,ਤਸਵੀਰ,ਅਨੁਵਾਦ,ਅਨੁਵਾਦਕ,ਸਰੋਤ; ਅੱਪਡੇਟ,ਅਪਡੇਟ; ਪ੍ਰਕਾਸ਼ਿਤ,ਮਿਤੀ,ਤਾਰੀਖ; ਅਤੇ
si; ; කතෘ,ලේඛක,ලේඛිකා,ලියන ලද්දේ,රචනය; ඡායාරූප,ඡායාරූපය,පරිවර්තනය,මූලාශ්‍රය; යාවත්කාලීන,යාවත්කාලීන කළේ; පළ කළේ,ප්‍රකාශිත,දිනය; සහ
ur; ; تحریر,مصنف,مصنفہ,از قلم,رپورٹ,قلم کار,نامہ نگار,از,لکھاری; تصویر,تصاویر,فوٹو,عکاسی,فوٹوگرافر,ترجمہ,مترجم,ماخذ,ذریعہ,ویڈیو; اپ ڈیٹ,اپڈیٹ,آخری اپ ڈیٹ,تازہ کاری; شائع شدہ,شائع,اشاعت,تاریخ اشاعت,تاریخ; اور
ka; ; ავტორი,ავტორები,ტექსტი,წერს,დაწერა,ჟურნალისტი; ფოტო,ფოტოგრაფი,სურათი,ილუსტრაცია,თარგმანი,თარგმნა,მთარგმნელი,წყარო,ვიდეო,რედაქტორი; განახლდა,განახლებულია,ბოლო განახლება; გამოქვეყნდა,გამოქვეყნებულია,თარიღი,გამოქვეყნების თარიღი; და
hy; ; հեղինակ,հեղինակներ,հեղինակը,տեքստ,տեքստը,գրեց,լրագրող; լուսանկար,լուսանկարը,լուսանկարիչ,նկար,թարգմանություն,թարգմանեց,թարգմանիչ,աղբյուր,տեսանյութ,խմբագիր; թարմացվել է,թարմացված,թարմացում,փոփոխված; հրապարակվել է,հրապարակված,հրապարակում,ամսաթիվ; և,եւ
kk; ; авторы,автор,мәтін,жазған,дайындаған,тілші; фото,сурет,фотограф,аударма,аударған,дереккөз,видео,редактор; жаңартылды,жаңартылған,өзгертілді; жарияланды,жарияланған,жарияланған күні,күні; және,мен
ky; ; автору,автор,жазган,текст; фото,сүрөт,котормо,которгон,булак; жаңыртылды; жарыяланды,жарыяланган,күнү; жана
uz; ; muallif,muallifi,yozgan,matn,muxbir,муаллиф; foto,surat,fotosurat,tarjima,tarjimon,manba,video; yangilandi,yangilangan; chop etildi,eʼlon qilindi,e'lon qilindi,sana,nashr; va
mn; ; зохиогч,зохиолч,бичсэн,сурвалжлагч,сэтгүүлч; зураг,гэрэл зураг,фото,орчуулсан,орчуулга,эх сурвалж; шинэчилсэн,шинэчлэгдсэн; нийтэлсэн,нийтлэгдсэн,огноо; ба,болон
am; ; ጸሐፊ,ደራሲ,በ,ጸሓፊ; ፎቶ,ምስል,ትርጉም,ተርጓሚ,ምንጭ; የተሻሻለው,የዘመነው; የታተመው,የታተመበት,ቀን; እና
km; ; ដោយ,អ្នកនិពន្ធ,និពន្ធដោយ,សរសេរដោយ; រូបថត,រូបភាព,បកប្រែ,បកប្រែដោយ,ប្រភព; កែប្រែ,ធ្វើបច្ចុប្បន្នភាព; ផ្សាយ,ចេញផ្សាយ,កាលបរិច្ឆេទ; និង
lo; ; ໂດຍ,ຜູ້ຂຽນ,ຂຽນໂດຍ; ຮູບ,ພາບ,ແປໂດຍ,ແຫຼ່ງ; ປັບປຸງ; ເຜີຍແຜ່,ວັນທີ; ແລະ
my; ; ရေးသားသူ,စာရေးသူ,ရေးသူ; ဓာတ်ပုံ,ဘာသာပြန်,ဘာသာပြန်သူ,ရင်းမြစ်; ပြင်ဆင်; ထုတ်ဝေ,ရက်စွဲ; နှင့်
mt; minn; miktub minn,awtur,awtriċi,kitba ta',test; ritratt,ritratti,traduzzjoni,sors,filmat; aġġornat,aġġornat fil; ippubblikat,ippubblikat fi,data; u
eo; de; aŭtoro,verkita de,skribis,teksto; foto,fotografis,bildo,tradukis,traduko,fonto; ĝisdatigita; publikigita,aperis,dato; kaj
so; ; qoraaga,qore,waxaa qoray,w/q; sawir,sawirka,turjumaad,xigasho; la cusbooneysiiyay; la daabacay,taariikh; iyo
"""

AFTER_NAME = (
    "기자",
    "특파원",
    "논설위원",
    "기자단",
    "인턴기자",
    "記者",
    "記者撰",
    "报道",
    "報導",
    "nuotr",
    "nuotrauka",
    "fotó",
    "felvétele",
)
"""What follows a name and tells what its bearer does; `_PHOTOGRAPHERS` of them took the picture."""
PHOTO_AFTER_NAME = frozenset({"nuotr", "nuotrauka", "fotó", "felvétele"})
COLON_ONLY = frozenset(
    [
        "text",
        "texte",
        "texto",
        "testo",
        "tekst",
        "teksti",
        "tekstas",
        "teksts",
        "tekstur",
        "testua",
        "testun",
        "texti",
        "text",
        "téacs",
        "teks",
        "teksto",
        "words",
        "szöveg",
        "текст",
        "тэкст",
        "κείμενο",
        "metin",
        "mətn",
        "טקסט",
        "نص",
        "متن",
        "mynd",
        "ტექსტი",
        "տեքստ",
        "мәтін",
        "matn",
        "bericht",
        "reportagem",
        "haber",
        "laporan",
        "bài",
        "theo",
        "firma",
        "redaktion",
        "rédaction",
        "redacción",
        "redação",
        "redazione",
        "redactie",
        "redacció",
        "თექსტი",
        "reporter",
        "report",
        "journalist",
        "date",
        "data",
        "datum",
        "dato",
        "글",
        "文",
        "文字",
        "图",
        "摄",
        "译",
    ]
)
"""Words for the text itself: they name its author with a colon behind them, and else begin a sentence."""


class Label(NamedTuple):
    """A label at the beginning of a text."""

    role: Role
    languages: frozenset[str]
    length: int
    """Characters up to its end."""
    words: str


def label_at(text: str, offset: int = 0) -> Label | None:
    """Return the longest label that begins at `offset`, None where there is none."""
    table = _labels()
    window = text[offset : offset + MAX_LABEL_CHARS].casefold()
    ends = [at for at in range(1, len(window) + 1) if _is_end(window, at)]
    for end in reversed(ends):
        name = window[:end].rstrip(".")
        entry = table.get(" ".join(name.split()) if "  " in name else name)
        if entry is not None:
            return Label(entry[0], entry[1], end, name)
    return None


def joiners(language: str | None) -> frozenset[str]:
    """Return what joins two names in a language."""
    return _joiners().get(language or "", frozenset())


def prepositions(language: str | None) -> frozenset[str]:
    """Return the prepositions that lead to a name in a language."""
    return _prepositions().get(language or "", frozenset())


def _is_end(window: str, at: int) -> bool:
    """Tell whether a label may end here: at the border of a word, or anywhere in scripts without spaces."""
    last = window[at - 1]
    if not (last.isalnum() or last in "'’" or not last.isascii()):
        return False
    if at == len(window):
        return True
    following = window[at]
    if is_unspaced(last):
        return True
    return not (following.isalnum() or (not following.isascii() and _is_mark(following)))


def is_unspaced(character: str) -> bool:
    """Tell whether a character is of a script that puts no spaces between words."""
    return "\u3040" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff" or "\u0e00" <= character <= "\u0eff"


def _is_mark(character: str) -> bool:
    """Tell whether a character belongs to the letter before it."""
    return unicodedata.category(character).startswith("M")


@lru_cache(maxsize=1)
def _rows() -> list[tuple[str, list[list[str]]]]:
    rows = (line.split(";") for line in _TABLE.strip().splitlines())
    return [(row[0].strip(), [_cell(cell) for cell in row[1:]]) for row in rows]


def _cell(cell: str) -> list[str]:
    return [word for part in cell.split(",") if (word := part.strip().casefold())]


@lru_cache(maxsize=1)
def _labels() -> dict[str, tuple[Role, frozenset[str]]]:
    table: dict[str, dict[Role, set[str]]] = {}
    for language, cells in _rows():
        for role, words in zip(_ROLES, cells, strict=False):
            for word in words:
                table.setdefault(word, {}).setdefault(role, set()).add(language)
    labels: dict[str, tuple[Role, frozenset[str]]] = {}
    for word, roles in table.items():
        role = max(roles, key=lambda role: (len(roles[role]), role != "by"))
        if "author" in roles and role == "by":
            role = "author"
        labels[word] = (role, frozenset(roles[role]))
    return labels


@lru_cache(maxsize=1)
def _joiners() -> dict[str, frozenset[str]]:
    return {language: frozenset(cells[5]) for language, cells in _rows() if len(cells) > 5}


@lru_cache(maxsize=1)
def _prepositions() -> dict[str, frozenset[str]]:
    return {language: frozenset(cells[0]) for language, cells in _rows()}
